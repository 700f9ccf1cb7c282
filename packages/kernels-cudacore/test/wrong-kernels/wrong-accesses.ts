import type { GateName } from '@ffma/verify';
import { beforeLoop, beforeStore, FIRST_BARRIER, SECOND_BARRIER } from './edits.js';
import type { Mutation } from './mutate.js';

/** A kernel that the device stops. */
export interface WrongAccess extends Mutation {
  readonly what: string;
  readonly kind: string;
  /** Gates that fail as well, in cases where the device does not stop it. */
  readonly fails?: readonly GateName[];
  /** The cases that are stopped, by name, where they are those of one rule. */
  readonly only?: RegExp;
  /** What is said of the fault at 33×17×65, up to the place. */
  readonly says: RegExp;
  readonly block: readonly [number, number, number];
  readonly thread: readonly [number, number, number];
  /** Part of the line of the source that is to blame. */
  readonly line: string;
}

/** Copies A four floats at a time where a row has four left, whatever the alignment of that row. */
export const fourAtATime: Mutation = {
  slug: 'four-at-a-time',
  edits: [
    ['#include <ffma/index.cuh>', '#include <ffma/index.cuh>\n#include <ffma/vec.cuh>'],
    [
      'b_tile[y][x] =',
      'if (row < m && x % 4 == 0 && x + 4 <= left) ffma::store4(&a_tile[y][x], ffma::load4(a_at));\n    b_tile[y][x] =',
    ],
  ],
};

export const wrongAccesses: readonly WrongAccess[] = [
  {
    what: 'one float past the end of C is written',
    slug: 'past-the-end',
    edits: [beforeStore('if (row == m - 1 && col == n) c[ffma::element_offset(row, col, ldc)] = acc;')],
    kind: 'out-of-bounds',
    fails: ['memory'],
    only: / tight /,
    says: /^Out-of-bounds store of 4 bytes at 0x[0-9a-f]+, just past the end of argument 3 \(2244 bytes\)$/,
    block: [1, 0, 0],
    thread: [17, 0, 0],
    line: 'col == n) c[ffma::element_offset(row, col, ldc)] = acc;',
  },
  {
    what: 'A is read past the end of its rows, and not used',
    slug: 'past-the-row',
    edits: [['row < m && x < left', 'row < m']],
    kind: 'out-of-bounds',
    only: / tight /,
    says: /^Out-of-bounds load of 4 bytes at 0x[0-9a-f]+, just past the end of argument 1 \(8580 bytes\)$/,
    block: [1, 0, 0],
    thread: [1, 0, 0],
    line: 'a_tile[y][x] = row < m ? *a_at : 0.0f;',
  },
  {
    what: 'the loop over a tile takes one step too many',
    slug: 'one-step-too-many',
    edits: [['step < P::BK; ++step) acc', 'step <= P::BK; ++step) acc']],
    kind: 'out-of-bounds',
    says: /^Out-of-bounds load of 4 bytes at byte 8192 of the 8192 bytes of shared memory$/,
    block: [0, 0, 0],
    thread: [0, 0, 0],
    line: 'step <= P::BK; ++step) acc =',
  },
  {
    what: 'float4 loads are not aligned',
    ...fourAtATime,
    kind: 'misaligned',
    says: /^Misaligned load: 16 bytes need an address that is a multiple of 16, but it is 0x[0-9a-f]+, byte \d+ of argument 1 \(\d+ bytes\)$/,
    block: [0, 0, 0],
    thread: [0, 1, 0],
    line: 'ffma::load4(a_at)',
  },
  {
    what: 'the first element of a tile is never written',
    slug: 'first-element-left-out',
    edits: [['a_tile[y][x] =', 'if (x + y > 0) a_tile[y][x] =']],
    kind: 'uninitialised-read',
    says: /^Read of 4 bytes that nothing has written, at byte (0|4096) of the 8192 bytes of shared memory$/,
    block: [0, 0, 0],
    thread: [0, 0, 0],
    line: 'step < P::BK; ++step) acc =',
  },
  {
    what: 'the barrier before reading the tiles is missing',
    slug: 'first-barrier-missing',
    edits: [[FIRST_BARRIER, FIRST_BARRIER.replace('__syncthreads();', '')]],
    kind: 'uninitialised-read',
    says: /^Read of 4 bytes that nothing has written, at byte \d+ of the 8192 bytes of shared memory$/,
    block: [0, 0, 0],
    thread: [0, 0, 0],
    line: 'step < P::BK; ++step) acc =',
  },
  {
    what: 'threads without an element leave before they have copied theirs',
    slug: 'early-leave',
    edits: [beforeLoop('if (row >= m || col >= n) return;')],
    kind: 'uninitialised-read',
    says: /^Read of 4 bytes that nothing has written, at byte \d+ of the 8192 bytes of shared memory$/,
    block: [0, 0, 0],
    thread: [0, 0, 0],
    line: 'step < P::BK; ++step) acc =',
  },
  {
    what: 'a warp waits for a word of shared memory that nobody changes',
    slug: 'waits-for-ever',
    edits: [
      beforeLoop(
        'volatile unsigned* word = reinterpret_cast<volatile unsigned*>(&a_tile[0][0]);\n' +
          '  if (x + y == 0) *word = 0;\n  __syncthreads();\n  if (k > 0) while (*word == 0) {}',
      ),
    ],
    kind: 'deadlock',
    says: /^The block can never finish: it waits in a loop for memory that no thread of the grid changes any more$/,
    block: [0, 0, 0],
    thread: [0, 0, 0],
    line: 'while (*word == 0) {}',
  },
  {
    what: 'half of each warp waits at a barrier',
    slug: 'half-a-warp-waits',
    edits: [[SECOND_BARRIER, '    if (x < 16) __syncthreads();\n  }\n']],
    kind: 'barrier-divergence',
    says: /^Barrier in divergent code: 512 of the block's 1024 threads wait at this one; thread \(16, 0, 0\) waits at another, PTX line \d+, half-a-warp-waits\/kernel.cu:\d+$/,
    block: [0, 0, 0],
    thread: [0, 0, 0],
    line: 'if (x < 16) __syncthreads();',
  },
  {
    what: 'every other thread waits at a barrier',
    slug: 'every-other-waits',
    edits: [[SECOND_BARRIER, '    if (x % 2 == 0) __syncthreads();\n  }\n']],
    kind: 'barrier-divergence',
    says: /^Barrier in divergent code: 512 of the block's 1024 threads wait at this one; thread \(1, 0, 0\) goes on without it$/,
    block: [0, 0, 0],
    thread: [0, 0, 0],
    line: 'if (x % 2 == 0) __syncthreads();',
  },
];
