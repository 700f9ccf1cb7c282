import { describe, expect } from 'vitest';
import { openDevice } from '../../dist/index.js';
import { gpuTest } from './support/gpu.js';

const mebi = 2 ** 20;

describe('a GPU', () => {
  gpuTest('says what it is', async (device) => {
    expect(device.kind).toBe('cuda');
    expect(device.arch).toMatch(/^sm_\d+$/);
    expect(device.properties.uuid).toMatch(/^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(device.properties.cudaVersion).toMatch(/^\d+\.\d$/);
    const { limits } = device;
    for (const [name, value] of Object.entries(limits)) {
      for (const figure of [value].flat()) expect(figure, name).toBeGreaterThan(0);
    }
    expect(limits.warpSize).toBe(32);
    expect(limits.sharedBytesPerBlockOptin).toBeGreaterThanOrEqual(limits.sharedBytesPerBlock);
    await expect(openDevice('cuda', { index: 1000 })).rejects.toThrow(
      /index is 1000, but there are \d+ GPUs/,
    );
  });

  gpuTest('is what auto opens', async () => {
    await using device = await openDevice('auto');
    expect(device.kind).toBe('cuda');
  });

  gpuTest('tells clocks and power through NVML', async (device) => {
    const sample = device.sampleClocks();
    expect(sample.smClockMHz).toBeGreaterThan(0);
    expect(sample.memoryClockMHz).toBeGreaterThan(0);
    expect(sample.powerW).toBeGreaterThan(1);
    expect(sample.temperatureC).toBeGreaterThan(0);
    expect(device.properties.driverVersion).toMatch(/^\d+\.\d+/);
  });

  gpuTest('tells memory, refuses more than there is, and gives freed memory out again', async (device) => {
    const before = device.memInfo();
    const size = Math.floor((before.free * 0.6) / mebi) * mebi;
    // Twice 60 %: the second fits only once the first is back.
    for (let turn = 0; turn < 2; turn++) {
      using buffer = device.allocateSync(size);
      expect(device.memInfo().free).toBeLessThanOrEqual(before.free - size);
      expect(buffer.address % 256n).toBe(0n);
    }
    expect(() => device.allocateSync(before.total * 2)).toThrow(
      expect.objectContaining({ code: 'FFMA_OUT_OF_MEMORY', native: 'CUDA_ERROR_OUT_OF_MEMORY' }),
    );
    await device.synchronize();
    expect(device.memInfo().free).toBe(before.free);
  });

  gpuTest('encodes tensor maps', async (device) => {
    using buffer = await device.allocate(64 * 128 * 4);
    const options = { buffer, rows: 64, cols: 128, tile: [32, 32], swizzle: '128B' } as const;
    const map = device.encodeTensorMap(options);
    expect(map.buffer).toBe(buffer);
    expect(map.bytes.length).toBe(128);
    expect(map.bytes.some((byte) => byte !== 0)).toBe(true);
    expect(device.encodeTensorMap(options).bytes).toEqual(map.bytes);
    expect(device.encodeTensorMap({ ...options, tile: [16, 32] }).bytes).not.toEqual(map.bytes);
    expect(() => device.encodeTensorMap({ ...options, rows: 65 })).toThrow(/ends within the buffer/);
    expect(() => device.encodeTensorMap({ ...options, tile: [32, 64] })).toThrow(
      /fits into the 128 bytes of its swizzle/,
    );
  });
});
