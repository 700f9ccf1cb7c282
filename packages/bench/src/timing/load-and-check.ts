import { availableParallelism } from 'node:os';
import type { Device, Stream } from '@ffma/core';
import type { DataSetName } from '@ffma/verify';
import { verdictName } from './check.js';
import type { Entrant } from './entrant.js';
import type { ProblemBatch } from './problem-batch.js';
import type { TimeSizeOptions } from './time-size.js';

/** Puts all on the device, several at a time: those that are compiled for this size take long. */
export async function loadAll(
  device: Device,
  entrants: readonly Entrant[],
  set: DataSetName,
  { size, compile, signal, onWork }: TimeSizeOptions,
): Promise<void> {
  const waiting = [...entrants];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (signal?.aborted === true) return;
      if (next.open) onWork?.('compile', `${next.id}: compile`);
      await next.load(device, size, verdictName({ shape: size, set }), compile);
    }
  };
  const lanes = Array.from({ length: availableParallelism() }, lane);
  // All of them come to an end, also where one throws: what they loaded is closed after that.
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}

export async function checkAll(
  stream: Stream,
  entrants: readonly Entrant[],
  batch: ProblemBatch,
  { signal, onWork }: TimeSizeOptions,
): Promise<void> {
  for (const [i, entrant] of entrants.entries()) {
    if (signal?.aborted === true) return;
    onWork?.(i === 0 ? 'judge' : 'check', `${entrant.id}: check on ${batch.set}`);
    await entrant.check(stream, batch);
  }
}
