import { defineKernel } from '@ffma/core';
import { float4CopyRules, onePerTile, warpTileRules, warpTileThreads, wholeTiles } from '@ffma/core/tiles';

export const k07 = defineKernel({
  name: 'k07',
  slug: 'searched',
  basedOn: 'k06',
  change: 'The same code, its geometry searched over eleven candidates.',
  lesson:
    'An 8 × 8 patch needs half the loads of a 4 × 4 one, but twice the registers: only a clock decides.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 128, BN: 128, BK: 16, WM: 64, WN: 32, TM: 8, TN: 8 },
  derive: (p) => ({ threads: warpTileThreads(p), sharedBytes: 4 * p.BK * (p.BM + 4 + p.BN) }),
  rules: [...warpTileRules, ...float4CopyRules],
  needs: wholeTiles,
  plan: onePerTile,
  // The candidates, default included: <block tile>_<warp tile>_<patch>.
  variants: {
    '128x128x8_64x32_8x8': { BK: 8 },
    '128x128x32_64x32_8x8': { BK: 32 },
    '128x128x16_32x64_8x8': { WM: 32, WN: 64 },
    '128x128x16_32x32_8x4': { WM: 32, TN: 4 },
    '256x128x16_64x32_8x8': { BM: 256 },
    '128x64x16_64x32_8x8': { BN: 64 },
    '128x64x8_64x32_8x8': { BN: 64, BK: 8 },
    '64x128x16_32x64_8x8': { BM: 64, WM: 32, WN: 64 },
    '64x64x16_32x32_8x4': { BM: 64, BN: 64, WM: 32, TN: 4 },
    '64x64x16_16x32_4x4': { BM: 64, BN: 64, WM: 16, TM: 4, TN: 4 },
  },
  search: {
    BM: [64, 128, 256],
    BN: [64, 128],
    BK: [8, 16, 32],
    WM: [16, 32, 64],
    WN: [32, 64],
    TM: [4, 8],
    TN: [4, 8],
  },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'Four shared loads feed 64 FFMAs, where the base needs eight',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 16 === own.value('instructions.ffma') &&
        (base === undefined || base.value('shared.load.requests') === 2 * own.value('shared.load.requests')),
    },
    {
      sentence: 'A tile of twice the height and width halves the global loads, and their sectors',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined ||
        (base.value('global.load.requests') === 2 * own.value('global.load.requests') &&
          base.value('global.load.sectors') === 2 * own.value('global.load.sectors')),
    },
    {
      sentence: 'Less than half of the overhead for each FFMA remains',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        base === undefined || base.value('overhead.perFfma') > 2 * own.value('overhead.perFfma'),
    },
  ],
});
