import { type TestContext, test } from 'vitest';
import type { CudaDevice } from '../../../dist/cuda/index.js';
import { openDevice } from '../../../dist/index.js';

/** Why these tests cannot run here, as a sentence; undefined where there is a GPU. */
export const missing = await openDevice('cuda').then(
  (device) => device.close(),
  (error: Error) => error.message,
);

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
