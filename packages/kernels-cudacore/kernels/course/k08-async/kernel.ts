import { defineKernel } from '@ffma/core';
import { blockPerTile, namedIds, ringFigures, ringRules, rowMajorA, wholeTiles } from '@ffma/core/tiles';

const large = { BM: 128, BN: 128, BK: 16 };

const variants = {
  '128x64x8_s1': { STAGES: 1 },
  '128x64x8_s2': { STAGES: 2 },
  '128x64x8_s4': { STAGES: 4 },
  '128x64x8_s5': { STAGES: 5 },
  '128x64x16_s3': { BK: 16 },
  '128x128x16_s1': { ...large, STAGES: 1 },
  '128x128x16_s2': { ...large, STAGES: 2 },
  '128x128x16_s3': { ...large },
  '128x128x16_s4': { ...large, STAGES: 4 },
  '128x128x16_s5': { ...large, STAGES: 5 },
};

export const k08 = defineKernel({
  name: 'k08',
  slug: 'async',
  basedOn: 'k07',
  change: 'Tiles are copied by cp.async into a ring of stages, ahead of the multiplication that needs them.',
  lesson:
    'The wait for global memory hides behind earlier FFMAs; what is left is the wait for shared memory.',
  source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 128, BN: 64, BK: 8, WM: 64, WN: 32, TM: 8, TN: 8, STAGES: 3 },
  derive: (p) => ringFigures(p, 'row-major'),
  rules: [
    ...ringRules,
    rowMajorA,
    { sentence: 'The ring has at least one stage', holds: ({ STAGES }) => STAGES >= 1 },
  ],
  needs: wholeTiles,
  plan: (problem, p) => blockPerTile(problem, p, ringFigures(p, 'row-major')),
  variants,
  ids: namedIds('k08', '128x64x8_s3', Object.keys(variants)),
  search: { BK: [8, 16], STAGES: [1, 2, 3, 4, 5] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'All of A and B goes straight to shared memory, nothing by way of registers',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('async.bytes') === own.value('global.load.bytesRequested') &&
        own.value('shared.store.requests') === 0 &&
        (base === undefined || base.value('shared.store.requests') > 0),
    },
    {
      sentence: 'Ten shared loads feed 64 FFMAs, where the base, with A transposed, needs four',
      at: { m: 128, n: 128, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 64 === 10 * own.value('instructions.ffma') &&
        (base === undefined ||
          base.value('shared.load.requests') * 10 === own.value('shared.load.requests') * 4),
    },
    {
      sentence: 'Each of the 256 threads waits at one barrier for each of the eight chunks',
      at: { m: 128, n: 128, k: 64 },
      holds: (own) => own.value('instructions.barrier') === 256 * 8,
    },
  ],
});
