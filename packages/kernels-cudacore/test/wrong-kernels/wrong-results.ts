import type { GateName } from '@ffma/verify';
import { beforeLoop, beforeStore, SECOND_BARRIER, STORE } from './edits.js';
import type { Mutation } from './mutate.js';

/** A kernel that runs to its end and leaves something wrong behind. */
export interface WrongResult extends Mutation {
  readonly what: string;
  /** Every gate that fails in some case. */
  readonly fails: readonly GateName[];
  /** The cases that fail, by name, where they are those of one rule. */
  readonly only?: RegExp;
}

const values: readonly GateName[] = ['exact', 'k-order', 'hard-bound', 'quality'];

/** Adds even and odd k apart: as good a sum, in another order. */
export const twoChains: Mutation = {
  slug: 'two-chains',
  edits: [
    ['float acc = 0.0f;', 'float acc = 0.0f, odd = 0.0f;'],
    [
      'for (int step = 0; step < P::BK; ++step) acc = ffma::fma(a_tile[y][step], b_tile[step][x], acc);',
      'for (int step = 0; step < P::BK; ++step) (step % 2 ? odd : acc) = ' +
        'ffma::fma(a_tile[y][step], b_tile[step][x], step % 2 ? odd : acc);',
    ],
    beforeStore('acc += odd;'),
  ],
};

export const wrongResults: readonly WrongResult[] = [
  {
    what: 'one element is off by 0.1 %',
    slug: 'one-element-off',
    edits: [beforeStore('if (row == m - 1 && col == n - 1) acc *= 1.001f;')],
    fails: values,
  },
  {
    what: 'the last k is dropped',
    slug: 'last-k-dropped',
    edits: [['int left = k;', 'int left = k - 1;']],
    fails: values,
  },
  {
    what: 'inputs are rounded to TF32',
    slug: 'tf32-inputs',
    edits: [
      [
        'template <class P>',
        '__device__ float tf32(float x) {\n' +
          '  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) & ~0x1fffu);\n}\n\ntemplate <class P>',
      ],
      ['? *a_at', '? tf32(*a_at)'],
      ['? *b_at', '? tf32(*b_at)'],
    ],
    fails: values,
  },
  {
    what: 'the last tile of C is left out',
    slug: 'tile-left-out',
    edits: [beforeLoop('if (blockIdx.x == gridDim.x - 1) return;')],
    fails: [...values, 'written'],
  },
  {
    what: 'the tiles of A and B are exchanged',
    slug: 'tiles-exchanged',
    edits: [
      [
        'step < P::BK; ++step) acc = ffma::fma(a_tile[y][step], b_tile[step][x], acc);',
        'step < P::BK; ++step) acc = ffma::fma(b_tile[y][step], a_tile[step][x], acc);',
      ],
    ],
    fails: values,
  },
  {
    what: 'the tile of B is transposed',
    slug: 'b-transposed',
    edits: [['b_tile[y][x] =', 'b_tile[x][y] =']],
    fails: values,
  },
  {
    what: 'rows of A are as far apart as those of B, where that is less',
    slug: 'wrong-stride',
    edits: [['ffma::element_offset(row, x, lda);', 'ffma::element_offset(row, x, lda < ldb ? lda : ldb);']],
    fails: values,
  },
  { what: 'sums are not in the order of k, as declared', ...twoChains, fails: ['k-order'] },
  {
    what: 'the epilogue is not fused',
    slug: 'epilogue-unfused',
    edits: [
      [
        STORE,
        'if (row >= m || col >= n) return;\n  float& at = c[ffma::element_offset(row, col, ldc)];\n' +
          '  at = beta == 0.0f ? alpha * acc : alpha * acc + beta * at;',
      ],
    ],
    fails: ['k-order'],
    only: /α=1\.7 β=-0\.3/,
  },
  {
    what: 'zeros past k are multiplied, too, and −0 becomes +0',
    slug: 'zeros-past-k',
    edits: [['if (left >= P::BK) {', 'if (left > 0) {']],
    fails: ['k-order'],
    only: / special \(/,
  },
  {
    // An FMA hands the payload of a NaN on, so that C seems unwritten as well.
    what: 'C is read where beta is 0',
    slug: 'c-read-at-beta-0',
    edits: [
      [
        STORE,
        'if (row >= m || col >= n) return;\n  float& at = c[ffma::element_offset(row, col, ldc)];\n' +
          '  at = ffma::fma(beta, at, alpha * acc);',
      ],
    ],
    fails: [...values, 'written'],
  },
  {
    what: 'A is read where alpha or k is 0',
    slug: 'a-read-at-alpha-0',
    edits: [['float acc = 0.0f;', 'float acc = 0.0f * *a;']],
    fails: ['exact', 'k-order'],
    only: /k = 0 gives|alpha = 0/,
  },
  {
    what: 'C is left alone where k is 0',
    slug: 'k-0-left-out',
    edits: [beforeLoop('if (k == 0) return;')],
    fails: ['exact', 'k-order', 'written'],
    only: /k = 0 gives|alpha = 0 gives|alpha = 0 reads/,
  },
  {
    what: 'the padding of C is written',
    slug: 'padding-written',
    edits: [
      beforeStore('if (row < m && col == n - 1 && ldc > n) c[ffma::element_offset(row, n, ldc)] = acc;'),
    ],
    fails: ['memory'],
    only: /ldc=/,
  },
  {
    what: 'an input is overwritten',
    slug: 'input-overwritten',
    edits: [
      beforeStore(
        'if (k > 0 && row == m - 1 && col == n - 1) const_cast<float*>(a)[ffma::element_offset(row, k - 1, lda)] = acc;',
      ),
    ],
    fails: ['memory'],
  },
  {
    // Four lanes run to the next barrier before the next four do, and overwrite what those still need.
    what: 'the barrier after reading the tiles is missing',
    slug: 'second-barrier-missing',
    edits: [[SECOND_BARRIER, '  }\n']],
    fails: values,
  },
];
