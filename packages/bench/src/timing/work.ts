import { gemmFlops } from '@ffma/core';
import { operandBytes } from '../bench/operand-memory.js';
import { batchOf, type Size } from '../bench/sizes.js';
import type { Protocol } from './protocol.js';

/**
 * Kinds of work that a size is made of. `judge` is the first check on a data set, for which what has to come out is
 * computed.
 */
export const workKinds = ['compile', 'data', 'judge', 'check', 'round'] as const;
export type WorkKind = (typeof workKinds)[number];

/** Pieces of one kind: how many, and how long each may take, in ms. */
export interface Pieces {
  readonly count: number;
  readonly eachMs: number;
}

export type SizeWork = Readonly<Record<WorkKind, Pieces>>;

/** What an estimate assumes of the machine. */
export interface Assumed {
  /** FP32 peak of the device. */
  readonly tflops: number;
  readonly flushBytes: number;
}

/** Where the device is not known. */
export const ASSUMED_TFLOPS = 50;

/** Share of the peak that a kernel reaches; they lie between a twentieth and nearly all of it. */
const OF_PEAK = 0.5;
/** Bytes that a GPU writes in a ms. */
const WRITTEN = 2.5e9;
/** From one launch to the next, whatever they do. */
const LAUNCH_MS = 0.005;
/** On the host, for each element of A, B and C: to make it, and to compare it. */
const MADE_MS = 45e-6;
const COMPARED_MS = 7e-6;
/** Multiply-adds of the references that some rows are judged by, at most. */
const JUDGED = 2 ** 27;
const SUMMED_MS = 12e-6;
const COMPILE_MS = 8000;

/** The time of one launch with what goes before it, in ms. */
function launchMs(size: Size, { tflops, flushBytes }: Assumed): number {
  const batch = batchOf(size);
  const computed = (gemmFlops(size) * batch) / (tflops * OF_PEAK * 1e9);
  const moved = operandBytes(size) / WRITTEN;
  const poisoned = (4 * size.m * size.n * batch) / WRITTEN;
  return Math.max(computed, moved) + batch * LAUNCH_MS + flushBytes / WRITTEN + poisoned;
}

/**
 * The work of one size: roughly, before anything is measured.
 * @param entrants kernels, with the reference; how many of them take the size; how many are compiled for it
 * @param protocol of its rounds the most that there may be
 */
export function workOf(
  size: Size,
  { all, taking, compiled }: { readonly all: number; readonly taking: number; readonly compiled: number },
  { rounds, launches, timeLimitMs }: Pick<Protocol, 'rounds' | 'launches' | 'timeLimitMs'>,
  assumed: Assumed,
): SizeWork {
  const roundMs = taking * (launches + 1) * launchMs(size, assumed);
  const within = timeLimitMs === undefined ? rounds : Math.ceil(timeLimitMs / Math.max(roundMs, 1e-3));
  const elements = operandBytes(size) / 4;
  const { m, n, k } = size;
  const checkMs = 5 + elements * COMPARED_MS;
  return {
    compile: { count: compiled, eachMs: COMPILE_MS },
    data: { count: 2, eachMs: elements * MADE_MS },
    judge: { count: 2, eachMs: checkMs + Math.min(JUDGED, m * n * k) * SUMMED_MS },
    check: { count: 2 * (all - 1) + taking, eachMs: checkMs },
    round: { count: taking === 0 ? 0 : Math.min(rounds, within), eachMs: roundMs },
  };
}

/** All of it, in ms. */
export function totalMs(work: SizeWork): number {
  return workKinds.reduce((sum, kind) => sum + work[kind].count * work[kind].eachMs, 0);
}
