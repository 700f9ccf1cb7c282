import { type Stream, UnsupportedError } from '@ffma/core';
import { ffmaKernel, outerProductKernel } from './ceiling-kernels.js';
import type { CeilingRun, CeilingWork } from './ceiling-runs.js';

/** Every float of what is read, so that a sum counts them. */
export const ONE = 0x3f80_0000;

function wrong(run: CeilingRun, what: string): UnsupportedError {
  return new UnsupportedError(`The ceiling kernel ${run.name} computed ${what}, so its time means nothing.`, {
    remedy: 'Run ffma doctor: the driver or the GPU may be at fault.',
  });
}

/** What each thread must have written; undefined where the threads differ. */
function expectedOf({ name }: CeilingRun, { iterations }: CeilingWork): number | undefined {
  if (name === 'ffma') {
    const { chains = 0, unroll = 0 } = ffmaKernel.params;
    // Chain c begins at c, and 1 is added each time.
    return (chains * (chains - 1)) / 2 + chains * unroll * iterations;
  }
  const { TM = 0, TN = 0, unroll = 0 } = outerProductKernel.params;
  return name === 'outer-product' ? TM * TN * unroll * 2 * iterations : undefined;
}

/**
 * Runs a ceiling once and looks at what it computed; all sums are integers that float32 holds.
 * @throws UnsupportedError where it is wrong
 */
export async function checkCeiling(stream: Stream, run: CeilingRun, work: CeilingWork): Promise<void> {
  run.enqueue(stream);
  await stream.synchronize();
  if (run.out === undefined) return;
  const out = new Float32Array(run.out.byteLength / 4);
  await run.out.copyTo(stream, out);
  const expected = expectedOf(run, work);
  const odd = expected === undefined ? undefined : out.find((value) => value !== expected);
  if (odd !== undefined) throw wrong(run, `${odd} where ${expected} is right`);
  if (run.name !== 'read') return;
  const floats = out.reduce((sum, value) => sum + value, 0);
  if (floats !== work.bytes / 4) throw wrong(run, `a sum of ${floats} over ${work.bytes / 4} ones`);
}
