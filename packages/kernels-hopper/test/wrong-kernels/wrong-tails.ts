import type { DefinedKernel } from '@ffma/core';
import { h03 } from '@ffma/kernels-hopper';
import type { WrongTiles } from './wrong-tiles.js';

const of = h03 as unknown as DefinedKernel;
const { params } = h03.variant('64x32_every_stage');
/** Deals shares out in the order in which blocks start: whoever waits then runs before those it waits for. */
const waitersFirst = ['block = gridDim.x - 1 - blockIdx.x;', 'block = blockIdx.x;'] as const;

const WAIT = 'other += P::threads) ffma::wait_for(&raised[other]);';
const SIGNAL = 'if (threadIdx.x == 0) ffma::signal(&raised[block]);';
const THEIRS = 'ffma::load4(first + number';

export const wrongTails: readonly WrongTiles[] = [
  {
    of,
    params,
    slug: 'h03-ring-begins-anew',
    what: 'stages are numbered from 0 again in each tile, and phases with them',
    kinds: ['deadlock'],
    line: 'ffma::wait_parity(at.full_first',
    edits: [['multiply_stages<P>(acc, ring, number,', 'multiply_stages<P>(acc, ring, 0,']],
  },
  {
    of,
    params,
    slug: 'h03-rest-of-every-part',
    what: 'every part adds what is left along k',
    kinds: ['deadlock'],
    line: 'ffma::wait_parity(at.full_first',
    edits: [['to_end ? left : 0, 0,', 'left, 0,']],
  },
  {
    of,
    params,
    slug: 'h03-sums-carried-on',
    what: 'a tile begins with the sums of the one before',
    fails: ['exact', 'hard-bound'],
    edits: [
      ['    float acc[P::TM][P::TN] = {};\n', ''],
      ['  unsigned number = 0;', '  float acc[P::TM][P::TN] = {};\n  unsigned number = 0;'],
    ],
  },
  {
    of,
    params,
    slug: 'h03-no-flag-wait',
    what: 'nobody waits for the sums of others',
    kinds: ['uninitialised-read'],
    line: THEIRS,
    edits: [waitersFirst, [WAIT, 'other += P::threads) {}']],
  },
  {
    of,
    params,
    slug: 'h03-flag-never-raised',
    what: 'no flag is raised',
    kinds: ['deadlock'],
    line: WAIT,
    edits: [[SIGNAL, '']],
  },
  {
    of,
    params,
    slug: 'h03-flags-not-cleared',
    what: 'flags are not taken down before',
    kinds: ['uninitialised-read'],
    line: WAIT,
    edits: [waitersFirst, ['  if (at < count) static_cast<unsigned*>(flags)[at] = 0;\n', '']],
  },
  {
    of,
    params,
    slug: 'h03-flag-before-barrier',
    what: 'the flag is raised before all threads have written',
    schedule: 'adversarial:1',
    kinds: ['uninitialised-read'],
    line: THEIRS,
    edits: [[`      __syncthreads();\n      ${SIGNAL}\n`, `      ${SIGNAL}\n      __syncthreads();\n`]],
  },
  {
    of,
    params,
    slug: 'h03-no-barrier-behind-flags',
    what: 'sums are read before all threads know of the flags',
    kinds: ['uninitialised-read'],
    line: THEIRS,
    edits: [waitersFirst, [`${WAIT}\n      __syncthreads();\n`, `${WAIT}\n`]],
  },
  {
    of,
    params,
    slug: 'h03-part-twice',
    what: 'the first part behind is added for each of the others',
    fails: ['exact', 'hard-bound'],
    edits: [
      ['first + number * static_cast<unsigned long long>', 'first + 0 * static_cast<unsigned long long>'],
    ],
  },
  {
    of,
    params,
    slug: 'h03-one-part-too-many',
    what: 'a part of the next tile is waited for',
    kinds: ['out-of-bounds'],
    line: WAIT,
    edits: [['shares) < tile_end)', 'shares) <= tile_end)']],
  },
];
