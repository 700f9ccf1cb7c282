import { defineKernel } from '@ffma/core';
import {
  atLeastTwoStages,
  blockPerTile,
  namedIds,
  ringRules,
  transposableA,
  transposableFigures,
  wholeTiles,
} from '@ffma/core/tiles';

const neither = { PREFETCH: false, TRANSPOSE_A: false };
const prefetch = { TRANSPOSE_A: false };
const transpose = { PREFETCH: false };
const large = { BM: 128, BN: 128 };

const variants = {
  '128x64x16_neither': { ...neither },
  '128x64x16_prefetch': { ...prefetch },
  '128x64x16_transpose': { ...transpose },
  '128x64x8_neither': { BK: 8, ...neither },
  '128x64x8_prefetch': { BK: 8, ...prefetch },
  '128x64x8_transpose': { BK: 8, ...transpose },
  '128x64x8_both': { BK: 8 },
  '128x128x16_prefetch': { ...large, ...prefetch },
  '128x128x16_both': { ...large },
};

export const k09 = defineKernel({
  name: 'k09',
  slug: 'prefetch',
  basedOn: 'k08',
  change:
    'Operands of the next step are read into a second set of registers, and A is transposed in shared memory.',
  lesson:
    'Reading early hides what shared memory takes, and reading four at a time makes the reads few: it takes both to win.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 128,
    BN: 64,
    BK: 16,
    WM: 64,
    WN: 32,
    TM: 8,
    TN: 8,
    STAGES: 3,
    PREFETCH: true,
    TRANSPOSE_A: true,
  },
  derive: transposableFigures,
  rules: [atLeastTwoStages, ...ringRules, ...transposableA],
  needs: wholeTiles,
  plan: (problem, p) => blockPerTile(problem, p, transposableFigures(p)),
  variants,
  ids: namedIds('k09', '128x64x16_both', Object.keys(variants)),
  search: { BK: [8, 16], STAGES: [2, 3, 4], PREFETCH: [false, true], TRANSPOSE_A: [false, true] },
  exactness: 'k-order',
  claims: [
    {
      sentence:
        'Four shared loads feed 64 FFMAs, where the base needs ten; one step more is read than there is',
      at: { m: 128, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('shared.load.requests') * 32 * 16 * 64 === own.value('instructions.ffma') * 65 &&
        (base === undefined ||
          own.value('shared.load.requests') * 10 * 64 === base.value('shared.load.requests') * 4 * 65),
    },
    {
      sentence: 'Copies of A come float by float: three times the requests, for the same full sectors',
      at: { m: 128, n: 64, k: 64 },
      holds: (own, base) =>
        own.value('global.load.bytesPerSector') === 32 &&
        (base === undefined ||
          (own.value('global.load.requests') === 3 * base.value('global.load.requests') &&
            own.value('global.load.sectors') === base.value('global.load.sectors') &&
            own.value('async.bytes') === base.value('async.bytes'))),
    },
  ],
});
