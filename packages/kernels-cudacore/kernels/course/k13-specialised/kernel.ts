import { defineKernel, type GemmProblem, gemmSignature, type Rule } from '@ffma/core';
import {
  atLeastTwoStages,
  blockPerTile,
  compiledSizes,
  compiledTiles,
  ffmaOrder,
  groupOfRows,
  isPacked,
  knownOrder,
  namedIds,
  ringFigures,
  ringRules,
  sizesGiven,
  taggedSymbol,
  transposedA,
} from '@ffma/core/tiles';

const small = { BM: 128, BN: 64, WM: 64, WN: 32, TM: 8, TN: 8 };
const wide = { BM: 128, BN: 256 };
/** k13f: the sizes are compiled in, once they are known. */
const f = { SPECIALIZE: true, SPREAD_BRANCHFREE: false };

const variants = {
  '256x128x16_spread': { SPREAD_BRANCHFREE: false, SPREAD: true },
  '256x128x16_nospread': { SPREAD_BRANCHFREE: false },
  '256x128x16_noremap': { SPREAD_BRANCHFREE: false, REMAP_B: false },
  '128x64x16': { ...small },
  '128x64x16_spread': { ...small, SPREAD_BRANCHFREE: false, SPREAD: true },
  '128x64x16_nospread': { ...small, SPREAD_BRANCHFREE: false },
  '128x64x16_noremap': { ...small, SPREAD_BRANCHFREE: false, REMAP_B: false },
  f_256x128x16: { ...f },
  f_128x64x16: { ...f, ...small },
  f_128x64x16_tagged: { ...f, ...small, TAGGED: true },
  f_128x256x16_tagged: { ...f, ...wide, TAGGED: true },
  f_128x256x8_s2_tagged: { ...f, ...wide, BK: 8, STAGES: 2, TAGGED: true },
  f_128x256x16_rows_tagged: { ...f, ...wide, FFMA_ORDER: ffmaOrder('snake_rows'), TAGGED: true },
};

const oneSpread: Rule<{ readonly SPREAD: boolean; readonly SPREAD_BRANCHFREE: boolean }> = {
  sentence: 'Copies are spread with branches or without, not both: SPREAD or SPREAD_BRANCHFREE',
  holds: ({ SPREAD, SPREAD_BRANCHFREE }) => !(SPREAD && SPREAD_BRANCHFREE),
};

/** Where sizes are compiled in, they are the strides of packed matrices alone, and k is never 0. */
function entryFor(problem: GemmProblem, { SPECIALIZE }: { readonly SPECIALIZE: boolean }) {
  if (!SPECIALIZE) return 'main';
  if (problem.k === 0) return 'scale';
  return isPacked(problem) ? 'main' : 'strided';
}

export const k13 = defineKernel({
  name: 'k13',
  slug: 'specialised',
  basedOn: 'k12',
  change: 'Copies are spread without a branch, and the sizes of a problem can be compiled in.',
  lesson:
    'Two ideas that look better than they run, and a third that can help: constants need not be computed.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 256,
    BN: 128,
    BK: 16,
    WM: 64,
    WN: 64,
    TM: 8,
    TN: 16,
    STAGES: 3,
    GROUP_M: 8,
    REMAP_B: true,
    SPREAD: false,
    SPREAD_BRANCHFREE: true,
    FFMA_ORDER: ffmaOrder('snake_columns'),
    TAGGED: false,
    SPECIALIZE: false,
    M: 0,
    N: 0,
    K: 0,
  },
  derive: (p) => ringFigures(p, 'transposed'),
  rules: [...ringRules, transposedA, atLeastTwoStages, groupOfRows, knownOrder, oneSpread, sizesGiven],
  symbolTag: taggedSymbol,
  entries: {
    main: { fn: 'gemm', signature: gemmSignature },
    strided: { fn: 'strided', signature: gemmSignature },
    scale: { fn: 'scale', signature: gemmSignature },
  },
  needs: compiledTiles,
  specialise: compiledSizes,
  plan: (problem, p) => blockPerTile(problem, p, ringFigures(p, 'transposed'), entryFor(problem, p)),
  variants,
  ids: namedIds('k13', '256x128x16', Object.keys(variants)),
  search: { SPREAD_BRANCHFREE: [false, true], FFMA_ORDER: [0, 1, 2, 3], TAGGED: [false, true] },
  exactness: 'k-order',
  claims: [
    {
      sentence: 'No step asks whether to copy: less than a third of the branches remains',
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        base === undefined || 3 * own.value('instructions.branch') < base.value('instructions.branch'),
    },
    {
      sentence: 'Two chunks of zeros follow the eight of the problem, and nothing is read for them',
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        own.value('async.bytes') * 8 === own.value('global.load.bytesRequested') * 10 &&
        (base === undefined ||
          own.value('global.load.bytesRequested') === base.value('global.load.bytesRequested')),
    },
    {
      sentence: 'Fewer instructions are executed in all',
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        base === undefined || own.value('instructions.total') < base.value('instructions.total'),
    },
  ],
});
