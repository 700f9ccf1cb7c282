import type { DefinedKernel } from '@ffma/core';
import {
  blocktiling1dV3,
  warptilingV4,
  warptilingV6,
  warptilingV7,
  warptilingV8,
} from '@ffma/kernels-cudacore';
import type { GateName } from '@ffma/verify';
import type { Edit, Mutation } from '../../../../scripts/emulator/mutant-package.js';

/** A kernel of the study whose stages, or way of storing C, are wrong. */
export interface WrongStages extends Mutation {
  readonly what: string;
  /** How the device stops it. */
  readonly kinds?: readonly string[];
  /** Part of the line of its sources that a fault blames. */
  readonly line?: string;
  /** Gates that fail where it does not. */
  readonly fails?: readonly GateName[];
}

const any = (kernel: unknown) => kernel as DefinedKernel;
const values: readonly GateName[] = ['exact', 'k-order', 'hard-bound'];
const without = (text: string): Edit => [text, ''];

export const wrongStages: readonly WrongStages[] = [
  {
    what: 'blocktiling-1d-v3 never turns to the other pair of tiles',
    of: any(blocktiling1dV3),
    slug: 'never-turns',
    edits: [without('    turn ^= 1;\n')],
    kinds: ['race'],
    line: 'a_tile[turn][a_col][a_row + i] = exists',
  },
  {
    what: 'warptiling-v4 still fetches behind the last chunk',
    of: any(warptilingV4),
    slug: 'fetches-too-much',
    edits: [['fetch(chunk + 1 < chunks);', 'fetch(chunk < chunks);']],
    kinds: ['out-of-bounds'],
    line: 'return ffma::load1_hinted_or_zero(from, wanted);',
  },
  {
    what: 'warptiling-v4 does not fetch the last chunk',
    of: any(warptilingV4),
    slug: 'fetches-too-little',
    edits: [['fetch(chunk + 1 < chunks);', 'fetch(chunk + 2 < chunks);']],
    fails: values,
  },
  {
    what: 'warptiling-v6 reads the next chunk before all of it is stored',
    of: any(warptilingV6),
    slug: 'no-barrier-at-the-seam',
    edits: [['        put(stage);\n        __syncthreads();\n', '        put(stage);\n']],
    kinds: ['uninitialised-read'],
    line: 'ffma::load_dealt_fragment<own.run, own.down>(a_own[set], &a_tile[stage][step][own.y]);',
  },
  {
    what: 'warptiling-v7 puts C down where others still read operands',
    of: any(warptilingV7),
    slug: 'no-barrier-before-putting',
    edits: [without('    __syncthreads();  // nobody reads any more what lay there\n')],
    kinds: ['race'],
    line: 'ffma::store4(&lines[i][own.x + ffma::dealt<patch::run, patch::across>(j)], four);',
  },
  {
    what: 'warptiling-v7 stores rows of C before all lanes have put theirs down',
    of: any(warptilingV7),
    slug: 'no-barrier-before-storing',
    edits: [['    __syncthreads();\n    study::exchange<P>::store', '    study::exchange<P>::store']],
    kinds: ['race'],
    line: 'ffma::store_scaled(c_row + j, lines[i][lane + j], alpha, beta);',
  },
  {
    what: 'warptiling-v8 ends without its last chunk',
    of: any(warptilingV8),
    slug: 'no-drain',
    edits: [
      [
        '  // Drain: the last chunk.\n  if (chunks > 0) {',
        '  // Drain: the last chunk.\n  if (chunks < 0) {',
      ],
    ],
    fails: values,
  },
];
