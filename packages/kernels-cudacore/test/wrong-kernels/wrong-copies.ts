import type { DefinedKernel } from '@ffma/core';
import { k08, k09, k11, k13 } from '@ffma/kernels-cudacore';
import type { GateName } from '@ffma/verify';
import type { Edit } from '../../../../scripts/emulator/mutant-package.js';
import type { Mutation } from './mutate.js';

/** A kernel whose ring of copies is wrong. */
export interface WrongCopies extends Mutation {
  readonly what: string;
  readonly of: DefinedKernel;
  /** How the device stops it. */
  readonly kinds?: readonly string[];
  /** Part of the line of the source that a fault blames. */
  readonly line?: string;
  /** Gates that fail where it does not. */
  readonly fails?: readonly GateName[];
}

const any = (kernel: unknown) => kernel as DefinedKernel;

const WAIT_K08 = '    ffma::wait_copies<(P::STAGES > 1 ? P::STAGES - 2 : 0)>();\n';
const BARRIER_K08 = '    __syncthreads();\n    if (P::STAGES > 1)';
const WAIT = '    ffma::wait_copies<P::STAGES - 2>();\n';
const values: readonly GateName[] = ['exact', 'k-order', 'hard-bound'];
const without = (text: string): Edit => [text, ''];

export const wrongCopies: readonly WrongCopies[] = [
  {
    what: 'k08 does not wait for its copies',
    of: any(k08),
    slug: 'no-wait',
    edits: [without(WAIT_K08)],
    kinds: ['copy-in-flight'],
    line: 'a_own[i] = a_tile[(y + ffma::dealt<1, down>(i)) * a_pitch + step];',
  },
  {
    what: 'k08 waits for one group too few',
    of: any(k08),
    slug: 'wait-off-by-one',
    edits: [['P::STAGES - 2 : 0', 'P::STAGES - 1 : 0']],
    kinds: ['copy-in-flight'],
    line: 'a_own[i] = a_tile[(y + ffma::dealt<1, down>(i)) * a_pitch + step];',
  },
  {
    what: 'k08 reads copies of other threads without a barrier',
    of: any(k08),
    slug: 'no-barrier',
    edits: [[BARRIER_K08, '    if (P::STAGES > 1)']],
    kinds: ['copy-unsynchronised'],
    line: 'a_own[i] = a_tile[(y + ffma::dealt<1, down>(i)) * a_pitch + step];',
  },
  {
    what: 'k08 fills a stage that others still read',
    of: any(k08),
    slug: 'fetch-before-barrier',
    edits: [
      without('    if (P::STAGES > 1) fetch(chunk + P::STAGES - 1);\n'),
      ['    if (P::STAGES == 1) fetch(chunk);', '    fetch(chunk + (P::STAGES == 1 ? 0 : P::STAGES - 1));'],
      ['STAGES - 2 : 0', 'STAGES - 1 : 0'],
    ],
    kinds: ['race'],
    line: 'ffma::copy_tile4_async<P::threads, P::BM, P::BK, a_pitch>(to, a_from, lda, thread)',
  },
  {
    what: 'k08 closes no groups past the last chunk, so that counting them misses the last copies',
    of: any(k08),
    slug: 'no-empty-groups',
    edits: [['    }\n    ffma::commit_copies();\n', '      ffma::commit_copies();\n    }\n']],
    kinds: ['copy-in-flight'],
    line: 'a_own[i] = a_tile[(y + ffma::dealt<1, down>(i)) * a_pitch + step];',
  },
  {
    what: 'k09 does not wait for its copies',
    of: any(k09),
    slug: 'prefetch-no-wait',
    edits: [without(WAIT)],
    kinds: ['copy-in-flight'],
    line: 'ffma::load_dealt_fragment<run, down>(a_own[set], &a_tile[step * a_pitch + y]);',
  },
  {
    what: 'k09 reads copies of other threads without a barrier',
    of: any(k09),
    slug: 'prefetch-no-barrier',
    edits: [[`${WAIT}    __syncthreads();\n`, WAIT]],
    kinds: ['uninitialised-read'],
    line: 'ffma::load_dealt_fragment<run, down>(a_own[set], &a_tile[step * a_pitch + y]);',
  },
  {
    what: 'k09 reads the first step of the next chunk before it is there',
    of: any(k09),
    slug: 'prefetch-too-early',
    edits: [['if (wanted % P::BK == 0) arrive();', 'if (step == 0 && chunk > 0) arrive();']],
    kinds: ['copy-in-flight'],
    line: 'ffma::load_dealt_fragment<run, down>(a_own[set], &a_tile[step * a_pitch + y]);',
  },
  {
    what: 'k11 wraps its ring one stage late',
    of: any(k11),
    slug: 'wraps-late',
    edits: [['stage == (P::STAGES - 1) * stage_floats', 'stage == P::STAGES * stage_floats']],
    kinds: ['out-of-bounds'],
    line: 'a_copies.start(i, filling * 4);',
  },
  {
    what: 'k11 never moves on along A',
    of: any(k11),
    slug: 'stays-in-a',
    edits: [without('      a_copies.advance();\n')],
    fails: values,
  },
  {
    what: 'k13 ends while zeros are on their way',
    of: any(k13),
    slug: 'zeros-in-flight',
    edits: [
      without('  if (P::SPREAD_BRANCHFREE) ffma::wait_copies<0>();  // the zeros are still on their way\n'),
    ],
    kinds: ['copy-never-awaited'],
    line: 'a_copies.template start<P::SPREAD_BRANCHFREE>(i, filling * 4, wanted);',
  },
  {
    what: 'k13 copies zeros one chunk early',
    of: any(k13),
    slug: 'zeros-early',
    edits: [
      ['const bool more = chunk + P::STAGES - 1 < chunks;', 'const bool more = chunk + P::STAGES < chunks;'],
    ],
    fails: values,
  },
];
