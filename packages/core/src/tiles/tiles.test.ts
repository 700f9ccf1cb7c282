import { describe, expect, it } from 'vitest';
import { gemmProblem } from '../gemm/problem.js';
import {
  atLeastTwoStages,
  blockPerTile,
  ffmaOrder,
  ffmaOrders,
  float4CopyRules,
  groupOfRows,
  knownOrder,
  namedIds,
  onePerTile,
  ringFigures,
  ringRules,
  rowMajorA,
  sizesGiven,
  transposedA,
  warpTileRules,
  warpTileThreads,
  wholeTiles,
} from './index.js';

/** A 256×128 tile of eight warps, 128 outputs a lane. */
const large = { BM: 256, BN: 128, BK: 16, WM: 64, WN: 64, TM: 16, TN: 8, STAGES: 3 };
/** A 128×64 tile of four warps, 64 outputs a lane. */
const small = { BM: 128, BN: 64, BK: 8, WM: 64, WN: 32, TM: 8, TN: 8, STAGES: 3 };

type Ring = typeof large;

/** Sentences of the rules that a ring breaks. */
function broken(rules: typeof ringRules, ring: Ring, layout: 'row-major' | 'transposed' = 'transposed') {
  const figures = ringFigures(ring, layout);
  return rules.filter((rule) => !rule.holds(ring, figures)).map(({ sentence }) => sentence);
}

describe('warp tiles', () => {
  it('have a warp of 32 threads each', () => {
    expect([warpTileThreads(large), warpTileThreads(small)]).toEqual([256, 128]);
  });

  it('ask for whole block tiles and rows at multiples of 16 bytes', () => {
    expect(wholeTiles(large)).toEqual({ multiples: { m: 256, n: 128, k: 16 }, alignment: 16 });
  });

  it('have one block each, of a row of threads', () => {
    const [launch] = onePerTile(gemmProblem({ m: 512, n: 384, k: 32 }), large).launches;
    expect(launch).toMatchObject({ grid: [6, 1, 1], block: [256, 1, 1], sharedBytes: 0 });
  });

  it.each([
    ['WM divides BM', { WM: 96 }],
    ['WN divides BN', { WN: 48 }],
    ['32 lanes cover its tile', { TM: 8 }],
    ['whole float4s', { WM: 32, WN: 128, TM: 64, TN: 2 }],
    ['at most 1024 threads', { BM: 1024, BN: 512 }],
  ])('refuse what breaks a rule: %s', (part, change) => {
    const sentences = broken(warpTileRules, { ...large, ...change });
    expect(sentences.some((sentence) => sentence.includes(part))).toBe(true);
  });

  it.each([
    ['BM is a multiple of 16 and BK of 8', { BK: 4 }],
    ['as many float4s of a tile', { BN: 32, BM: 256, BK: 8, WN: 32 }],
  ])('refuse what copies by float4 cannot do: %s', (part, change) => {
    const sentences = broken(float4CopyRules, { ...large, ...change });
    expect(sentences.some((sentence) => sentence.includes(part))).toBe(true);
  });
});

describe('rings', () => {
  it('hold STAGES tiles of both matrices, A padded by four floats a row', () => {
    expect(ringFigures(large, 'transposed')).toEqual({
      threads: 256,
      sharedBytes: 0,
      dynamicSharedBytes: 4 * 3 * (16 * 260 + 16 * 128),
    });
    expect(ringFigures(large, 'row-major').dynamicSharedBytes).toBe(4 * 3 * (256 * 20 + 16 * 128));
  });

  it('are asked for when a block is launched', () => {
    const figures = ringFigures(small, 'transposed');
    const [launch] = blockPerTile(gemmProblem({ m: 256, n: 64, k: 8 }), small, figures, 'other').launches;
    expect(launch).toMatchObject({
      entry: 'other',
      grid: [2, 1, 1],
      block: [128, 1, 1],
      sharedBytes: figures.dynamicSharedBytes,
    });
  });

  it('are right as they are', () => {
    for (const ring of [large, small]) {
      expect(broken([...ringRules, transposedA, atLeastTwoStages], ring)).toEqual([]);
      expect(broken([...ringRules, rowMajorA], ring, 'row-major')).toEqual([]);
    }
  });

  it.each([
    ['fit in 163 KiB', { STAGES: 7 }],
    ['BK is even', { BK: 12 }],
    ['as many float4s of B as any other', { BK: 24, BN: 96, WN: 32, TM: 8 }],
  ])('refuse what breaks a rule: %s', (part, change) => {
    const sentences = broken(ringRules, { ...large, ...change });
    expect(sentences.some((sentence) => sentence.includes(part))).toBe(true);
  });

  it('fit by one stage less', () => {
    expect(broken(ringRules, { ...large, STAGES: 6 })).toEqual([]);
  });

  it('copy A as it lies, or float by float, only if all threads have as much to do', () => {
    expect(broken([rowMajorA], { ...small, BK: 8, BM: 32, WM: 32, WN: 64, BN: 256 }, 'row-major')).toEqual([
      rowMajorA.sentence,
    ]);
    expect(broken([transposedA], { ...large, BM: 8 })).toEqual([]);
    expect(broken([transposedA], { ...large, BM: 64, BN: 1024 })).toEqual([]);
    expect(broken([transposedA], { ...large, BM: 64, BN: 2048 })).toEqual([transposedA.sentence]);
  });

  it('have two stages or more, where something is to be on its way', () => {
    expect(broken([atLeastTwoStages], { ...large, STAGES: 1 })).toEqual([atLeastTwoStages.sentence]);
    expect(broken([atLeastTwoStages], { ...large, STAGES: 2 })).toEqual([]);
  });
});

it('groups of tile rows have at least one', () => {
  const figures = ringFigures(large, 'transposed');
  const holds = (GROUP_M: number) => groupOfRows.holds({ GROUP_M, BN: 64 }, figures);
  expect([0, 1, 8, 128, 129, 2 ** 30].map(holds)).toEqual([false, true, true, true, false, false]);
});

describe('orders of FFMAs', () => {
  it('have the numbers of the device header', () => {
    expect(ffmaOrders.map(ffmaOrder)).toEqual([0, 1, 2, 3]);
    expect([ffmaOrder('rows'), ffmaOrder('snake_columns')]).toEqual([0, 3]);
  });

  it('are refused where there is no such order, with those that there are', () => {
    const figures = ringFigures(large, 'transposed');
    const holds = (FFMA_ORDER: number) => knownOrder.holds({ FFMA_ORDER }, figures);
    expect([-1, 0, 3, 4, 0.5].map(holds)).toEqual([false, true, true, false, false]);
    expect(knownOrder.sentence).toBe(
      'FFMA_ORDER is one of 0 (rows), 1 (columns), 2 (snake_rows), 3 (snake_columns)',
    );
  });
});

it('names are put behind the kernel to make ids', () => {
  expect(namedIds('k11', '256x128x16', ['128x64x8_8x8'])).toEqual({
    default: 'k11_256x128x16',
    '128x64x8_8x8': 'k11_128x64x8_8x8',
  });
});

describe('sizes that are compiled in', () => {
  const tile = { BM: 128, BN: 64, BK: 16, WM: 64, WN: 32, TM: 8, TN: 8 };
  it.each([
    [true, [0, 0, 0], true],
    [false, [0, 0, 0], true],
    [true, [256, 64, 48], true],
    [false, [256, 64, 48], false],
    [true, [256, 64, 0], false],
    [true, [256, 63, 48], false],
  ] as const)('SPECIALIZE %s with %o: %s', (SPECIALIZE, [M, N, K], holds) => {
    expect(sizesGiven.holds({ ...tile, SPECIALIZE, M, N, K }, { threads: 128, sharedBytes: 0 })).toBe(holds);
  });
});
