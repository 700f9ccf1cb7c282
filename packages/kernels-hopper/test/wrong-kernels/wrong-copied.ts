import type { DefinedKernel } from '@ffma/core';
import { h00 } from '@ffma/kernels-hopper';
import type { WrongTiles } from './wrong-tiles.js';

const of = h00 as unknown as DefinedKernel;
/** The smallest tile, which is emulated the soonest, with the shortest ring. */
const params = { BM: 128, BN: 64, WM: 64, WN: 32, TM: 8, TN: 8, STAGES: 4, LOCKSTEP: 1 };

/** h00 with that tile, and nothing wrong. */
export const rightCopied = { of, params, slug: 'h00-as-it-is', edits: [] };

export const wrongCopied: readonly WrongTiles[] = [
  {
    of,
    params,
    slug: 'h00-no-barrier',
    what: 'a thread waits for its own copies, but not for those of others',
    kinds: ['copy-unsynchronised'],
    line: 'load_shared4(',
    edits: [
      [
        `    ffma::wait_copies<ahead - P::LOCKSTEP>();
    __syncthreads();`,
        '    ffma::wait_copies<ahead - P::LOCKSTEP>();',
      ],
    ],
  },
  {
    of,
    params,
    slug: 'h00-one-stage-too-far-ahead',
    what: 'a stage is filled while its last chunk is read',
    kinds: ['race'],
    line: 'copy4_async(to_',
    edits: [
      [
        'constexpr int ahead = P::STAGES - 1 - P::LOCKSTEP;',
        'constexpr int ahead = P::STAGES - P::LOCKSTEP;',
      ],
    ],
  },
  {
    of,
    params,
    slug: 'h00-swizzle-forgotten',
    what: 'pieces of A are copied in their own order',
    fails: ['exact', 'hard-bound', 'k-order'],
    edits: [['const unsigned swizzled = piece ^ mixed_in(row);', 'const unsigned swizzled = piece;']],
  },
  {
    of,
    params,
    slug: 'h00-odd-columns-forgotten',
    what: 'columns of B that are no four are not copied',
    fails: ['exact', 'hard-bound', 'k-order'],
    edits: [['if (b_cols_ > 0 && !b_whole_) start_b(P::STEPS);', '']],
  },
  {
    of,
    params,
    slug: 'h00-rest-not-awaited',
    what: 'what is left along k is read while it is on its way',
    kinds: ['copy-in-flight'],
    line: 'load_shared',
    edits: [
      [
        `  ffma::wait_copies<0>();
  __syncthreads();
  const unsigned place`,
        '  const unsigned place',
      ],
    ],
  },
];
