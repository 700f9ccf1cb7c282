import { describe, expect } from 'vitest';
import type { CudaDevice } from '../../dist/cuda/index.js';
import { type Kernel, launch } from '../../dist/index.js';
import { gpuTest, skipWithout } from './support/gpu.js';
import { block } from './support/kernels.js';
import { residentKernel } from './support/resident-kernel.js';

const kibi = 1024;

/** Whether this many blocks were on the GPU at the same time. */
async function meet(device: CudaDevice, kernel: Kernel, blocks: number, threads: number, bytes: number) {
  using stream = device.createStream();
  using count = await device.allocate(4);
  using met = await device.allocate(blocks * 4);
  count.fill(stream, 0);
  met.fill(stream, 9);
  launch(
    stream,
    { ...block(threads, blocks), sharedBytes: bytes },
    kernel,
    { type: 'pointer', buffer: count },
    { type: 'pointer', buffer: met },
    { type: 'u32', value: blocks },
    { type: 'u32', value: bytes },
  );
  const values = new Uint32Array(blocks);
  await met.copyTo(stream, values);
  return values.every((value) => value === 1);
}

describe('occupancy with more than 48 KiB of dynamic shared memory', () => {
  for (const [threads, bytes] of [
    [128, 16 * kibi],
    [128, 49 * kibi],
    [256, 72 * kibi],
    [256, 112 * kibi],
    [1024, 160 * kibi],
  ] as const) {
    gpuTest(
      `${threads} threads, ${bytes / kibi} KiB: so many blocks are resident`,
      async (device, context) => {
        const { limits } = device;
        if (bytes > limits.sharedBytesPerBlockOptin)
          skipWithout(context, 'shared memory', 'This GPU has less shared memory.');
        // Asked first, before any launch has allowed the kernel so much.
        using loaded = await device.load(residentKernel);
        const kernel = loaded.kernel('resident');
        const perSm = device.occupancy(kernel, threads, bytes);
        const byShared = Math.floor(limits.sharedBytesPerSm / (bytes + limits.sharedBytesReservedPerBlock));
        expect(perSm).toBe(Math.min(byShared, limits.maxThreadsPerSm / threads));
        expect(await meet(device, kernel, perSm * limits.smCount, threads, bytes)).toBe(true);
        expect(await meet(device, kernel, perSm * limits.smCount + 1, threads, bytes)).toBe(false);
        // And it is still what it was, for less and for the same.
        expect(device.occupancy(kernel, threads, 1024)).toBeGreaterThanOrEqual(perSm);
        expect(device.occupancy(kernel, threads, bytes)).toBe(perSm);
      },
    );
  }

  gpuTest('all that a block may have is one block an SM; more is refused by name', async (device) => {
    using loaded = await device.load(residentKernel);
    const kernel = loaded.kernel('resident');
    const most = device.limits.sharedBytesPerBlockOptin;
    expect(device.occupancy(kernel, 128, most)).toBe(1);
    expect(await meet(device, kernel, device.limits.smCount, 128, most)).toBe(true);
    for (const bytes of [most + 1, 2 ** 32, 2 ** 40]) {
      expect(() => device.occupancy(kernel, 128, bytes)).toThrow(
        expect.objectContaining({
          code: 'FFMA_ARGUMENT',
          message: expect.stringContaining(`at most ${most} bytes of shared memory`),
        }),
      );
    }
    expect(() => device.occupancy(kernel, 1025)).toThrow(expect.objectContaining({ code: 'FFMA_ARGUMENT' }));
  });
});
