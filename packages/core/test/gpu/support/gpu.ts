import { type TestContext, test } from 'vitest';
import type { CudaDevice } from '../../../dist/cuda/index.js';
import { openDevice } from '../../../dist/index.js';

/** Why these tests cannot run here, as a sentence; undefined where there is a GPU. */
export const missing = await openDevice('cuda').then(
  (device) => device.close(),
  (error: Error) => error.message,
);

declare module 'vitest' {
  interface TaskMeta {
    /** What the host lacks beside a GPU. */
    lacks?: string;
  }
}

/** Skips a test on a GPU for something else that is not there, which FFMA_REQUIRE_GPU=1 does not ask for. */
export function skipWithout(context: TestContext, what: string, reason: string): never {
  context.task.meta.lacks = what;
  return context.skip(reason);
}

/** A test on an open GPU; where there is none it is skipped, with the reason, which the runner names. */
export function gpuTest(
  name: string,
  body: (device: CudaDevice, context: TestContext) => Promise<void>,
): void {
  test(name, async (context) => {
    if (missing !== undefined) context.skip(missing);
    await using device = await openDevice('cuda');
    await body(device, context);
  });
}
