import { defineKernel } from '@ffma/core';
import { float4CopyRules, onePerTile, warpTileRules, warpTileThreads, wholeTiles } from '@ffma/core/tiles';

export const k06 = defineKernel({
  name: 'k06',
  slug: 'warp-tiles',
  basedOn: 'k05',
  change:
    'Warps own compact tiles of C, A lies transposed in shared memory, and all access is 4 floats wide.',
  lesson:
    'What lanes need lies side by side, so one load fetches four operands of a patch, and every sector is used whole.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 64, BN: 64, BK: 16, WM: 16, WN: 32, TM: 4, TN: 4 },
  derive: (p) => ({ threads: warpTileThreads(p), sharedBytes: 4 * p.BK * (p.BM + 4 + p.BN) }),
  rules: [...warpTileRules, ...float4CopyRules],
  needs: wholeTiles,
  plan: onePerTile,
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Two shared loads feed sixteen FFMAs, where the base needs eight',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 8 === own.value('instructions.ffma') &&
        (base === undefined || base.value('shared.load.requests') === 4 * own.value('shared.load.requests')),
    },
    {
      sentence:
        'No two lanes wait for a bank of shared memory, and an FFMA takes less than half the wavefronts of the base',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.bankConflicts') === 0 &&
        (base === undefined ||
          2 * own.value('shared.wavefrontsPerFfma') < base.value('shared.wavefrontsPerFfma')),
    },
    {
      sentence: 'A global load moves 512 bytes and fills the 16 sectors that it touches',
      at: { m: 64, n: 64, k: 64 },
      holds: (own) =>
        own.value('global.load.sectorsPerRequest') === 16 && own.value('global.load.bytesPerSector') === 32,
    },
    {
      sentence: 'A store of C fills its 16 sectors, where the base comes back to each four times',
      at: { m: 64, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('global.store.bytesPerSector') === 32 &&
        (base === undefined || base.value('global.store.sectors') === 4 * own.value('global.store.sectors')),
    },
  ],
});
