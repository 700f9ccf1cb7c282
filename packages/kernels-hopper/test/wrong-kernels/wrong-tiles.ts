import type { DefinedKernel } from '@ffma/core';
import { h01 } from '@ffma/kernels-hopper';
import type { Mutation } from '../../../../scripts/emulator/mutant-package.js';

/** A kernel that is wrong, and what must say so. */
export interface WrongTiles extends Mutation {
  readonly what: string;
  /** Kinds of faults, sorted. */
  readonly kinds?: readonly string[];
  /** Gates that fail, sorted. */
  readonly fails?: readonly string[];
  /** Under which schedule it shows. Default: blocks and warps by number. */
  readonly schedule?: string;
  /** Part of the line that the faults name. */
  readonly line?: string;
}

const of = h01 as unknown as DefinedKernel;
/** The smallest tile, which is emulated the soonest. */
const params = { BM: 128, BN: 64, WM: 64, WN: 32, TM: 8, TN: 8 };

export const wrongTiles: readonly WrongTiles[] = [
  {
    of,
    params,
    slug: 'h01-no-lockstep-barrier',
    what: 'the barrier before a stage is filled again is missing',
    // A warp that runs ahead fills stages that others have not read; they then wait for a phase that is long over.
    schedule: 'adversarial:1',
    kinds: ['deadlock'],
    edits: [
      [
        `    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll`,
        `    if (threadIdx.x == 0) {
#pragma unroll`,
      ],
    ],
  },
  {
    of,
    params,
    slug: 'h01-lockstep-one-stage-early',
    what: 'a stage is filled again while its last chunk is read',
    kinds: ['copy-in-flight'],
    line: 'load_shared4(&b_own[set][j]',
    edits: [
      [
        'next = number - 1 - P::LOCKSTEP + P::STAGES; next < number - 1 + P::STAGES',
        'next = number - P::LOCKSTEP + P::STAGES; next < number + P::STAGES',
      ],
    ],
  },
  {
    of,
    params,
    slug: 'h01-fewer-bytes-announced',
    what: 'only the bytes of A are announced',
    kinds: ['copy-in-flight'],
    line: 'load_shared4(&b_own[set][j]',
    edits: [
      [
        'ffma::arrive_expecting(full, own::a_bytes + own::b_bytes);',
        'ffma::arrive_expecting(full, own::a_bytes);',
      ],
    ],
  },
  {
    of,
    params,
    slug: 'h01-parity-stays',
    what: 'the parity does not change when the ring comes round',
    kinds: ['copy-in-flight'],
    line: 'load_shared4(&b_own[set][j]',
    edits: [
      [
        'ffma::wait_parity(at.full_first + 8 * place, number / P::STAGES % 2);',
        'ffma::wait_parity(at.full_first + 8 * place, 0);',
      ],
    ],
  },
  {
    of,
    params,
    slug: 'h01-swizzle-forgotten',
    what: 'rows of A are read as if the tile were not swizzled',
    fails: ['exact', 'hard-bound', 'k-order'],
    edits: [['y * steps * 4 + (steps == 32 ? y % 8 : y / 2 % 4) * 16;', 'y * steps * 4;']],
  },
  {
    of,
    params,
    slug: 'h01-rest-dropped',
    what: 'what is left along k is not added',
    kinds: ['copy-never-awaited'],
    line: 'ffma::load_tile(at.a_first',
    edits: [['  if (left > 0) {', '  if (left > P::STEPS) {']],
  },
  {
    of,
    params,
    slug: 'h01-stores-not-awaited',
    what: 'a warp lays out the next eight rows while others still read the last',
    kinds: ['race'],
    line: 'load_shared4(sums',
    edits: [
      [
        `  for (int i = 0; i < TM; ++i) {
    __syncwarp();
`,
        `  for (int i = 0; i < TM; ++i) {
`,
      ],
    ],
  },
  {
    of,
    params,
    slug: 'h01-last-columns-whole',
    what: 'four columns are stored where fewer are left',
    fails: ['memory'],
    edits: [['first + 4 <= static_cast<unsigned>(n)', 'first + 3 <= static_cast<unsigned>(n)']],
  },
];
