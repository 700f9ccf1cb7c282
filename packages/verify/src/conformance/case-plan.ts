import type { DataSetName } from '../data/data-set.js';
import type { VerifyCase } from '../run/case.js';

/**
 * `quick`: one case a rule. `full`: every rule with every kind of data, small enough for a device without a GPU.
 * `wide`: and larger problems, that fill a GPU more than once.
 */
export type Level = 'quick' | 'full' | 'wide';

/** A case before it is fitted to a declaration: sizes are what a kernel that takes everything gets. */
export interface PlannedCase {
  readonly size: readonly [m: number, n: number, k: number];
  readonly data: DataSetName;
  readonly level: Level;
  readonly about?: string;
  readonly alpha?: number;
  readonly beta?: number;
  /** Elements added to the leading dimensions of A, B and C. */
  readonly pad?: readonly [a: number, b: number, c: number];
  /** Elements by which A, B and C start late; a multiple of the declared alignment where there is one. */
  readonly offset?: readonly [a: number, b: number, c: number];
  readonly guards?: VerifyCase['guards'];
}

type Size = PlannedCase['size'];

const planned = (size: Size, data: DataSetName, rest: Partial<PlannedCase> = {}): PlannedCase => ({
  size,
  data,
  level: 'full',
  ...rest,
});

const quick = { level: 'quick' } as const;

/** Extents that are one, prime, powers of two, just under and over one, and longer one way than the other. */
const sizes: readonly { readonly size: Size; readonly level: Level }[] = [
  { size: [1, 1, 1], level: 'quick' },
  { size: [33, 17, 65], level: 'quick' },
  { size: [128, 128, 128], level: 'full' },
  { size: [127, 129, 63], level: 'quick' },
  { size: [2, 300, 5], level: 'full' },
  { size: [300, 2, 5], level: 'full' },
  { size: [1, 257, 31], level: 'full' },
  { size: [257, 1, 31], level: 'full' },
  { size: [31, 33, 1], level: 'full' },
];

const shapes = sizes.flatMap(({ size, level }) => [
  planned(size, 'integers', { level }),
  planned(size, 'uniform'),
]);

const numbers: readonly PlannedCase[] = [
  planned([64, 48, 256], 'canary', { about: 'no TF32', ...quick }),
  planned([9, 11, 4096], 'integers', { about: 'a long k' }),
  planned([17, 19, 1031], 'normal', { about: 'a long k' }),
  planned([65, 67, 129], 'normal'),
  planned([40, 36, 29], 'special', {
    about: 'NaN, infinities and subnormals go where IEEE 754 says',
    ...quick,
  }),
  planned([40, 36, 29], 'special', { alpha: -1.5, beta: 0.5 }),
];

const scalars: readonly PlannedCase[] = [
  planned([37, 41, 43], 'integers', { alpha: 2, beta: 3, ...quick }),
  planned([37, 41, 43], 'integers', { alpha: 0.5, beta: -2 }),
  planned([37, 41, 43], 'uniform', { alpha: 1, beta: 1 }),
  planned([37, 41, 43], 'uniform', { alpha: -1, beta: 0 }),
  planned([37, 41, 43], 'uniform', { alpha: 1.7, beta: -0.3 }),
  planned([37, 41, 43], 'normal', { alpha: Number.NaN, beta: 1, about: 'a NaN alpha reaches every element' }),
];

const reduced: readonly PlannedCase[] = [
  planned([35, 33, 0], 'uniform', { about: 'k = 0 gives zero', ...quick }),
  planned([35, 33, 0], 'uniform', { beta: -1.7, about: 'k = 0 gives beta·C' }),
  planned([35, 33, 0], 'special', { beta: 2, about: 'k = 0 gives beta·C' }),
  planned([35, 33, 34], 'unread', { alpha: 0, about: 'alpha = 0 reads neither A nor B', ...quick }),
  planned([35, 33, 34], 'unread', { alpha: 0, beta: 1.3, about: 'alpha = 0 gives beta·C' }),
  planned([35, 33, 34], 'unread', { alpha: 0, beta: 1, about: 'alpha = 0, beta = 1 leaves C' }),
  planned([0, 33, 34], 'uniform', { beta: 2, about: 'm = 0 does nothing' }),
  planned([35, 0, 34], 'uniform', { beta: 2, about: 'n = 0 does nothing' }),
  planned([0, 0, 0], 'uniform', { about: 'an empty problem' }),
];

const places: readonly PlannedCase[] = [
  planned([37, 41, 43], 'integers', { pad: [3, 5, 7], about: 'odd leading dimensions' }),
  planned([36, 40, 44], 'uniform', { pad: [4, 8, 12], beta: 0.5, about: 'NaN in the padding stays there' }),
  planned([67, 66, 65], 'integers', {
    offset: [1, 2, 3],
    pad: [2, 1, 3],
    about: 'unaligned operands',
    ...quick,
  }),
  planned([64, 64, 64], 'uniform', { offset: [3, 1, 2], about: 'unaligned operands' }),
  planned([33, 17, 65], 'integers', { guards: 'none', about: 'buffers end with the last element', ...quick }),
  planned([127, 129, 63], 'uniform', { guards: 'none', beta: 1, about: 'buffers end with the last element' }),
  planned([1, 1, 1], 'integers', { guards: 'none', beta: 1, about: 'buffers end with the last element' }),
];

/** Every case that does not depend on a declaration. */
export const plannedCases: readonly PlannedCase[] = [
  ...shapes,
  ...numbers,
  ...scalars,
  ...reduced,
  ...places,
];

/** Problems of many blocks, wide and tall, with long and short k. */
export const wideCases: readonly PlannedCase[] = (
  [
    [512, 512, 512],
    [1111, 777, 96],
    [640, 2560, 64],
    [2304, 2304, 48],
    [96, 3000, 200],
    [3000, 96, 200],
  ] as const
).flatMap((size) => [
  planned(size, 'integers', { level: 'wide', about: 'many blocks' }),
  planned(size, 'uniform', { level: 'wide', about: 'many blocks', alpha: -1.25, beta: 0.5 }),
]);

/**
 * Cases of a kernel that has sizes compiled in, where every size is a compilation: few sizes, with all that can vary
 * at one. `tile` is what its sizes are near.
 */
export function sizedCases(tile: {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}): PlannedCase[] {
  const one: Size = [tile.m, tile.n, 2 * tile.k];
  const odd: Size = [3 * tile.m - 1, tile.n + 1, 5 * tile.k - 1];
  const deep: Size = [tile.m, 2 * tile.n, 16 * tile.k];
  return [
    planned(one, 'canary', { about: 'no TF32', ...quick }),
    planned(one, 'special', { about: 'NaN, infinities and subnormals go where IEEE 754 says' }),
    planned(one, 'unread', { alpha: 0, beta: 1.3, about: 'alpha = 0 reads neither A nor B', ...quick }),
    planned(one, 'unread', { alpha: 0, about: 'alpha = 0 reads neither A nor B' }),
    planned(odd, 'integers', { ...quick }),
    planned(odd, 'uniform', {
      alpha: 1.7,
      beta: -0.3,
      pad: [3, 5, 7],
      about: 'longer leading dimensions',
      ...quick,
    }),
    planned(odd, 'integers', { guards: 'none', beta: 1, about: 'buffers end with the last element' }),
    planned(odd, 'uniform', { offset: [1, 2, 3], about: 'operands that start late' }),
    planned(deep, 'uniform', { about: 'a long k' }),
    planned(deep, 'normal', { about: 'a long k' }),
  ];
}

/** Cases around a block tile: whole tiles, and one more or less than them. */
export function tileCases(tile: {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}): PlannedCase[] {
  const about = 'around the block tile';
  return [
    planned([2 * tile.m, 2 * tile.n, 3 * tile.k], 'integers', { about }),
    planned([3 * tile.m, tile.n, 5 * tile.k], 'uniform', { about, alpha: 0.5, beta: -1.5, pad: [4, 8, 12] }),
    planned([tile.m, 3 * tile.n, 7 * tile.k], 'integers', { about, beta: 1 }),
    planned([tile.m, tile.n, 4 * tile.k], 'integers', { about }),
    planned([tile.m + 1, tile.n - 1, tile.k + 1], 'integers', { about, guards: 'none' }),
    planned([tile.m - 1, tile.n + 1, 2 * tile.k - 1], 'uniform', { about }),
  ];
}
