import type { DefinedKernel } from '@ffma/core';
import { k14, streamkDeterministic } from '@ffma/streamk';
import type { GateName } from '@ffma/verify';
import type { Edit, Mutation } from '../../../../scripts/emulator/mutant-package.js';

/** A kernel whose parts do not add up. */
export interface WrongSum extends Mutation {
  readonly what: string;
  /** Every gate that fails in some case. */
  readonly fails?: readonly GateName[];
  /** How the device stops it, where it does. */
  readonly kinds?: readonly string[];
  /** Part of the line of the source that a fault blames. */
  readonly line?: string;
  /** The schedule that shows it, as a failure names it; by default, blocks and warps run by number. */
  readonly schedule?: string;
}

const atomic = k14 as unknown as DefinedKernel;
const ordered = streamkDeterministic as unknown as DefinedKernel;
const without = (text: string): Edit => [text, ''];

/** Deals shares out in the order in which blocks start: whoever waits then runs before those it waits for. */
const waitersFirst: Edit = ['block = gridDim.x - 1 - blockIdx.x;', 'block = blockIdx.x;'];

/** Right as long as all blocks are resident, as they are; so what fails below fails for another reason. */
export const inStartingOrder: Mutation = { of: ordered, slug: 'in-starting-order', edits: [waitersFirst] };

const wrong: readonly GateName[] = ['exact', 'hard-bound'];

export const wrongSums: readonly WrongSum[] = [
  {
    what: 'k14 adds to a C that nothing has prepared',
    of: atomic,
    slug: 'unprepared',
    edits: [['beta == 0.0f ? 1.0f : -1.0f, beta);', 'beta == 0.0f ? 1.0f : -1.0f, 1.0f);']],
    fails: [...wrong, 'written'],
  },
  {
    what: 'k14 prepares all but the last tile',
    of: atomic,
    slug: 'last-tile-unprepared',
    edits: [
      [
        '  const unsigned top = tile.row',
        '  if (blockIdx.x / strips == gridDim.x / strips - 1) return;\n  const unsigned top = tile.row',
      ],
    ],
    fails: [...wrong, 'written'],
  },
  {
    what: 'k14 leaves alpha to the first part alone',
    of: atomic,
    slug: 'alpha-once',
    edits: [
      [
        'const auto add = [&](ffma::tile_origin tile) {',
        'const auto add = [&](ffma::tile_origin tile, bool alpha_too) {\n    const float factor = alpha_too ? alpha : 1.0f;',
      ],
      [
        '{alpha * part[0], alpha * part[1], alpha * part[2], alpha * part[3]}',
        '{factor * part[0], factor * part[1], factor * part[2], factor * part[3]}',
      ],
      ['      add(origin(whole + part.tile));', '      add(origin(whole + part.tile), part.first == 0);'],
      ['        add(tile);', '        add(tile, part.first == 0);'],
    ],
    fails: wrong,
  },
  {
    what: 'k14 stores its part instead of adding it',
    of: atomic,
    slug: 'stored-part',
    edits: [['        ffma::add4(', '        ffma::store4(']],
    fails: wrong,
  },
  {
    what: 'k14 starts every part at the first chunk of its tile',
    of: atomic,
    slug: 'first-chunks-only',
    edits: [['  return {tile, first, count};', '  return {tile, 0, count};']],
    fails: wrong,
  },
  {
    what: 'k14 leaves a chunk out where a share ends',
    of: atomic,
    slug: 'short-share',
    edits: [['cut(length, block + 1, gridDim.x)}', 'cut(length, block + 1, gridDim.x) - (block % 2)}']],
    fails: wrong,
  },
  {
    what: 'k14 counts a chunk twice where two shares meet',
    of: atomic,
    slug: 'chunk-twice',
    edits: [
      ['cut(length, block + 1, gridDim.x)}', 'cut(length, block + 1, gridDim.x) + (block + 1 < gridDim.x)}'],
    ],
    fails: wrong,
  },
  {
    what: 'k14 goes on to its next piece while others read the last one',
    of: atomic,
    slug: 'no-barrier-between-pieces',
    edits: [['  }\n  __syncthreads();\n}\n', '  }\n}\n']],
    kinds: ['copy-in-flight'],
    line: 'ffma::load_dealt_fragment<patch<P>::run, patch<P>::down>(a_own[set], a_at + stage + step * a_pitch);',
  },
  {
    what: 'streamk-deterministic does not wait for the flag',
    of: ordered,
    slug: 'no-flag-wait',
    edits: [waitersFirst, without('      if (threadIdx.x == 0) ffma::wait_for(&raised[other]);\n')],
    kinds: ['uninitialised-read'],
    line: 'ffma::load4(slot<P>(slots, slot_of<P>(other, false), i, j));',
  },
  {
    what: 'streamk-deterministic does not raise its flag',
    of: ordered,
    slug: 'flag-never-raised',
    edits: [without('        if (threadIdx.x == 0) ffma::signal(&raised[block]);\n')],
    kinds: ['deadlock'],
    line: 'ffma::wait_for(&raised[other]);',
  },
  {
    what: 'streamk-deterministic does not take its flags down before',
    of: ordered,
    slug: 'flags-not-cleared',
    edits: [waitersFirst, without('  if (at < count) static_cast<unsigned*>(flags)[at] = 0;\n')],
    kinds: ['uninitialised-read'],
    line: 'ffma::wait_for(&raised[other]);',
  },
  {
    what: 'streamk-deterministic raises its flag before all threads have written',
    of: ordered,
    slug: 'flag-before-barrier',
    edits: [
      [
        '        __syncthreads();\n        if (threadIdx.x == 0) ffma::signal(&raised[block]);\n',
        '        if (threadIdx.x == 0) ffma::signal(&raised[block]);\n        __syncthreads();\n',
      ],
    ],
    kinds: ['uninitialised-read'],
    line: 'ffma::load4(slot<P>(slots, slot_of<P>(other, false), i, j));',
    schedule: 'adversarial:1',
  },
  {
    what: 'streamk-deterministic adds only the next block behind',
    of: ordered,
    slug: 'one-part-only',
    edits: [
      [
        'part.count < chunks && done < tile_end; ++other',
        'part.count < chunks && other == block + 1; ++other',
      ],
    ],
    fails: wrong,
  },
  {
    what: 'streamk-deterministic adds a part of the next tile',
    of: ordered,
    slug: 'one-part-too-many',
    edits: [['done < tile_end; ++other', 'done <= tile_end && other < gridDim.x; ++other']],
    kinds: ['deadlock'],
    line: 'ffma::wait_for(&raised[other]);',
  },
  {
    what: 'streamk-deterministic waits for empty shares',
    of: ordered,
    slug: 'waits-for-nothing',
    edits: [without('      if (end == done) continue;\n')],
    kinds: ['deadlock'],
    line: 'ffma::wait_for(&raised[other]);',
  },
  {
    what: 'streamk-deterministic reads the slot before all threads know of the flag',
    of: ordered,
    slug: 'no-barrier-behind-flag',
    edits: [
      waitersFirst,
      ['ffma::wait_for(&raised[other]);\n      __syncthreads();\n', 'ffma::wait_for(&raised[other]);\n'],
    ],
    kinds: ['uninitialised-read'],
    line: 'ffma::load4(slot<P>(slots, slot_of<P>(other, false), i, j));',
  },
  {
    what: 'the fix-up of streamk-deterministic takes every part for one behind the first chunk',
    of: ordered,
    slug: 'fixup-other-slot',
    params: { FIXUP_APART: true },
    edits: [['slot_of<P>(other, true), i, j', 'slot_of<P>(other, false), i, j']],
    kinds: ['uninitialised-read'],
    line: 'ffma::load4(slot<P>(slots, slot_of<P>(other, false), i, j));',
  },
  {
    what: 'the fix-up of streamk-deterministic begins at an empty share',
    of: ordered,
    slug: 'fixup-empty-share',
    params: { FIXUP_APART: true },
    edits: [['((start + 1) * blocks + line - 1) / line - 1', 'start * blocks / line']],
    kinds: ['uninitialised-read'],
    line: 'ffma::load4(slot<P>(slots, slot_of<P>(other, true), i, j));',
  },
  {
    what: 'the fix-up of streamk-deterministic leaves the last part out',
    of: ordered,
    slug: 'fixup-short',
    params: { FIXUP_APART: true },
    edits: [
      [
        '      done = end;\n#pragma unroll\n      for (int j',
        '      done = end;\n      if (done >= tile_end) break;\n#pragma unroll\n      for (int j',
      ],
    ],
    fails: wrong,
  },
];
