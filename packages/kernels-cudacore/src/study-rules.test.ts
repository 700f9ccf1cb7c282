import type { DefinedKernel } from '@ffma/core';
import { describe, expect, it } from 'vitest';
import {
  blocktiling1dV0,
  blocktiling1dV1,
  blocktiling1dV2,
  blocktiling2d,
  blocktiling2dVec4V0,
  naiveCol,
  naiveRow,
  smemTiling,
  study,
  warptilingV0,
  warptilingV1,
  warptilingV7,
  warptilingV9,
  warptilingV10,
  warptilingV11,
} from './index.js';

/** Rows of a table, each under the name of its kernel. */
const named = <Rest extends readonly unknown[]>(rows: readonly (readonly [kernel: unknown, ...Rest])[]) =>
  rows.map(
    ([kernel, ...rest]) => [(kernel as DefinedKernel).name, ...rest, kernel as DefinedKernel] as const,
  );

describe('parameters that a kernel of the study cannot work with are refused', () => {
  it.each(
    named<[Record<string, number>, string]>([
      [naiveRow, { BN: 16 }, "A warp's 32 lanes lie along one row"],
      [naiveCol, { BM: 16 }, "A warp's 32 lanes lie down one column"],
      [smemTiling, { BK: 16 }, 'BM, BN and BK are equal'],
      [blocktiling1dV0, { TM: 48 }, 'TM divides BM'],
      [blocktiling1dV0, { BN: 48 }, "A warp's 32 lanes lie along one row"],
      [blocktiling1dV0, { BK: 4 }, 'as many elements of a tile as any other'],
      [blocktiling1dV0, { BM: 2048, TM: 64, BK: 16 }, 'at most 1024 threads'],
      [blocktiling1dV1, { TM: 64, BK: 128 }, 'elements of one column of A and one of B'],
      [blocktiling1dV2, { TM: 2 }, 'TM is a multiple of 4'],
      [blocktiling1dV2, { BM: 128, BN: 128, BK: 64, TM: 64 }, 'Static shared memory ends at 48 KiB'],
      [blocktiling2d, { TN: 12 }, 'Patches cover the tile'],
      [blocktiling2d, { TN: 2 }, 'TN is a multiple of 4'],
      [blocktiling2dVec4V0, { BK: 4 }, 'as many float4s of a tile'],
      [warptilingV0, { BK: 4 }, 'read a sector of a row of A'],
      [warptilingV0, { BM: 32, BN: 256 }, 'always of the same columns'],
      [warptilingV0, { BM: 80, WM: 16, WN: 128 }, 'BM is a multiple of 32'],
      [warptilingV1, { WM: 8, WN: 128, TM: 8, TN: 4 }, 'an even number of them down'],
      [warptilingV7, { BN: 48, WN: 48, WM: 64, TN: 12 }, 'Warps store whole rows of C'],
      [warptilingV9, { LOAD_STEP: 7 }, 'LOAD_STEP is from 0 to BK - 2'],
      [warptilingV9, { LOAD_STEP: -1 }, 'LOAD_STEP is from 0 to BK - 2'],
      [warptilingV11, { GROUP_M: 0 }, 'GROUP_M is from 1 to'],
    ]),
  )('%s with %o', (_, params, sentence, kernel) => {
    expect(() => kernel.with(params)).toThrow(sentence);
  });
});

describe('shared memory', () => {
  it.each(
    named<[number]>([
      [blocktiling1dV0, 4 * (64 * 8 + 8 * 64)],
      [blocktiling1dV2, 4 * 8 * (68 + 64)],
      [blocktiling2d, 4 * 8 * (132 + 128)],
      [warptilingV1, 4 * 8 * (132 + 128)],
      // 64 rows of C, padded by four floats, are more than two stages.
      [warptilingV7, 4 * 64 * 132],
    ]),
  )('of %s is %i bytes', (_, bytes, kernel) => {
    expect(kernel.derived.sharedBytes).toBe(bytes);
  });

  it('is that of the stages where these are more than the rows of C', () => {
    expect(warptilingV7.with({ BN: 64, BK: 16 }).derived.sharedBytes).toBe(2 * 4 * 16 * (132 + 64));
  });
});

it('rows need an alignment where they are read four floats at a time, and only there', () => {
  for (const { variants } of study) {
    for (const { id, needs } of variants.values()) {
      expect([id, needs?.alignment]).toEqual([id, id.includes('vec4') ? 16 : undefined]);
    }
  }
});

it('symbols have the word that they are tested with', () => {
  const symbols = [warptilingV9, warptilingV10, warptilingV11].flatMap(({ variants }) =>
    [...variants.values()].map((variant) => variant.symbols.main),
  );
  expect(symbols).toEqual([
    'warptiling_v9_128x128x8_32x64x8',
    'warptiling_v10_128x128x8_32x64x8_cutlass',
    'warptiling_v11_128x128x8_32x64x8',
    'warptiling_v11_128x128x8_32x64x8_tagged_cutlass',
  ]);
});
