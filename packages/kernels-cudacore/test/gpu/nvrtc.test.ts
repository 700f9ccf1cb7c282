import { multiply } from '@ffma/core';
import { compileVariant, findToolchains } from '@ffma/core/compile';
import { k03, k05, kernels } from '@ffma/kernels-cudacore';
import { afterEach, expect, type TestContext, test, vi } from 'vitest';
import { onGpu, openGpu } from '../../../../scripts/gpu/kernels-on-gpu.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** An NVRTC that is there but does not work is a failure; one that is not there says "There is no NVRTC". */
async function needNvrtc({ task, skip }: TestContext) {
  const nvrtc = (await findToolchains()).find(({ name }) => name === 'nvrtc');
  if (nvrtc === undefined || nvrtc.available) return;
  if (!nvrtc.reason.startsWith('There is no NVRTC')) throw new Error(nvrtc.reason);
  task.meta.lacks = 'NVRTC';
  skip(nvrtc.reason);
}

onGpu('NVRTC', () => {
  for (const kernel of kernels.filter(({ open }) => !open)) {
    test(`compiles ${kernel.id}, with its headers, for this GPU`, async (context) => {
      await needNvrtc(context);
      await using device = await openGpu();
      const arch = device.arch.replace('sm_', 'compute_');
      const { object, compiler } = await compileVariant(kernel, { arch, format: 'ptx', compiler: 'nvrtc' });
      expect(compiler).toMatch(/^nvrtc /);
      using loaded = await device.load(object);
      expect(loaded.kernelNames).toEqual(expect.arrayContaining(Object.values(kernel.symbols)));
    });
  }

  test('compiles what was not built when it is loaded, and that computes the same bits', async (context) => {
    await needNvrtc(context);
    await using device = await openGpu();
    vi.stubEnv('FFMA_CUDA_COMPILER', 'nvrtc');
    const unbuilt = k05.with({ BM: 64, BN: 128, BK: 8, TM: 4, TN: 8 });
    using loaded = await unbuilt.load(device, { compile: true });
    expect(loaded.artefact.compiler).toMatch(/^nvrtc /);
    const [m, n, k] = [201, 203, 129];
    const a = Float32Array.from({ length: m * k }, (_, i) => Math.sin(i));
    const b = Float32Array.from({ length: k * n }, (_, i) => Math.cos(i));
    const ours = await multiply(device, unbuilt, a, b, { m, n, k, compile: true });
    const built = await multiply(device, k03, a, b, { m, n, k });
    expect(Buffer.from(ours.buffer).equals(Buffer.from(built.buffer))).toBe(true);
    expect(new Set(ours).size).toBeGreaterThan(1000);
  });
});
