import type { Dim3 } from '@ffma/core';
import { COPY_PLANE, CTX } from '../layout.js';
import type { Sanitizers } from '../sanitizers.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import { RACE_PLANE } from './race-word.js';
import type { Schedule } from './schedule.js';

/** What a worker is told about one launch. All places are byte offsets in the shared memory. */
export interface LaunchRecord {
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Static and dynamic shared memory of a block, in bytes. */
  readonly sharedBytes: number;
  /** Local memory of a thread, in bytes. */
  readonly localBytes: number;
  readonly params: number;
  /** i32s: next block to claim, stop flag, and what {@link ProgressWatch} keeps. */
  readonly control: number;
  /** First slot of each worker, and how many it has. */
  readonly slots: readonly { readonly start: number; readonly count: number }[];
  readonly slotBytes: number;
  /** Where each worker's block counts and access log lie; 0 without counters. */
  readonly counts: readonly number[];
  readonly logs: readonly number[];
  readonly logQuadBytes: number;
  readonly checks: boolean;
  readonly counters: boolean;
  /** What is looked for; absent: nothing. */
  readonly sanitizers?: Sanitizers | undefined;
  /** Share of an L1 cache that each block has where its traffic is recorded; 0: it is not. */
  readonly l1Bytes: number;
  readonly smCount: number;
  /** Absent: blocks and warps by number, on as many workers as there are. */
  readonly schedule?: Schedule | undefined;
}

/** Offsets inside a block's slot. */
export interface SlotLayout {
  readonly quads: number;
  readonly states: number;
  readonly shared: number;
  /** Bytes from shared memory to its first plane for copies, and from each plane to the next; 0: there are none. */
  readonly copyPitch: number;
  readonly sharedShadow: number;
  /** The race check's planes, and the bytes of each; 0: there are none. */
  readonly race: number;
  readonly racePitch: number;
  readonly local: number;
  readonly localShadow: number;
  readonly bytes: number;
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

export function threadsOf(block: Dim3): number {
  return block[0] * block[1] * block[2];
}

/** Lays out the memory of one resident block. */
export function slotLayout(
  kernel: Pick<TranslatedKernel, 'stateBytes' | 'copies'>,
  block: Dim3,
  sharedBytes: number,
  localBytes: number,
  racecheck = false,
): SlotLayout {
  const threads = threadsOf(block);
  const quads = Math.ceil(threads / 4);
  let next = roundUp(CTX.bytes, 64);
  const take = (bytes: number): number => {
    const at = next;
    next = roundUp(next + bytes, 64);
    return at;
  };
  const states = take(quads * kernel.stateBytes);
  // Padded, so that a vector access at the end of a window stays inside the slot.
  const padded = roundUp(roundUp(sharedBytes, 16) + 16, 64);
  const shared = take(kernel.copies ? padded * COPY_PLANE.count : padded);
  const sharedShadow = take(roundUp(sharedBytes, 16) / 4 + 16);
  const racePitch = racecheck && sharedBytes > 0 ? padded : 0;
  const race = take(racePitch * RACE_PLANE.count);
  const local = take(threads * localBytes);
  const localShadow = take((threads * localBytes) / 4);
  const copyPitch = kernel.copies ? padded : 0;
  return {
    quads,
    states,
    shared,
    copyPitch,
    sharedShadow,
    race,
    racePitch,
    local,
    localShadow,
    bytes: next,
  };
}
