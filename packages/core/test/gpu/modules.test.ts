import { describe, expect } from 'vitest';
import { compile } from '../../dist/compile/index.js';
import { FfmaError, launch, ObjectCode } from '../../dist/index.js';
import { gpuTest } from './support/gpu.js';
import { block, futurePtx, kernels, wrongPtx } from './support/kernels.js';

const source = {
  name: 'twice.cu',
  text: `#include <ffma/ffma.cuh>
#include <ffma/fma.cuh>
extern "C" __global__ void twice(float* values) { values[threadIdx.x] = ffma::fma(values[threadIdx.x], 2.0f, 0.0f); }
`,
};

describe('modules', () => {
  gpuTest('come from PTX by way of the JIT', async (device) => {
    using loaded = await device.load(kernels);
    expect(loaded.ranAs).toBe('jit');
    expect([...loaded.kernelNames].sort()).toEqual(['add', 'crash', 'nothing', 'shared', 'spin']);
    expect(() => loaded.kernel('none')).toThrow(/no kernel 'none'; it has /);
  });

  for (const compiler of ['nvcc', 'nvrtc'] as const) {
    gpuTest(`are compiled by ${compiler}, to PTX and machine code`, async (device, { skip }) => {
      for (const format of ['ptx', 'cubin'] as const) {
        const arch = format === 'cubin' ? device.arch : device.arch.replace('sm_', 'compute_');
        const compiled = await compile({ source, arch, format, compiler, cache: false }).catch(
          (error: unknown) => {
            const code = error instanceof FfmaError ? error.code : '';
            if (code === 'FFMA_UNAVAILABLE' || code === 'FFMA_UNSUPPORTED') skip(String(error));
            throw error;
          },
        );
        using loaded = await device.load(compiled.object);
        expect(loaded).toMatchObject({ ranAs: format === 'cubin' ? 'cubin' : 'jit', kernelNames: ['twice'] });
        expect(loaded.kernel('twice').paramSizes).toEqual([8]);
        using stream = device.createStream();
        using buffer = await device.allocate(128);
        await buffer.copyFrom(stream, new Float32Array(32).fill(21));
        launch(stream, block(32), loaded.kernel('twice'), { type: 'pointer', buffer });
        const result = new Float32Array(32);
        await buffer.copyTo(stream, result);
        expect(result.every((value) => value === 42)).toBe(true);
        if (format === 'cubin') {
          // Cut short, it is no machine code any more, and the driver must say so.
          const cut = ObjectCode.fromCubin(compiled.object.bytes.slice(0, 200), { name: 'cut' });
          await expect(device.load(cut)).rejects.toBeInstanceOf(FfmaError);
        }
      }
    });
  }

  gpuTest('NVRTC gives the whole log of what it refuses', async (_, { skip }) => {
    const wrong = { name: 'wrong.cu', text: 'extern "C" __global__ void wrong() { nonsense; }\n' };
    const error = await compile({
      source: wrong,
      arch: 'compute_80',
      format: 'ptx',
      compiler: 'nvrtc',
      cache: false,
    }).catch((e: unknown) => e as FfmaError);
    if ((error as FfmaError).code === 'FFMA_UNAVAILABLE') skip(String(error));
    expect(error).toMatchObject({
      code: 'FFMA_COMPILE',
      details: { log: expect.stringMatching(/wrong\.cu.*"?nonsense"? is undefined/) },
    });
  });

  gpuTest('wrong PTX is refused, with the log of the JIT', async (device) => {
    await expect(device.load(wrongPtx)).rejects.toMatchObject({
      code: 'FFMA_COMPILE',
      native: 'CUDA_ERROR_INVALID_PTX',
      details: { log: expect.stringMatching(/frobnicate/) },
    });
  });

  gpuTest('PTX newer than the driver is called that', async (device) => {
    await expect(device.load(futurePtx)).rejects.toMatchObject({
      code: 'FFMA_UNSUPPORTED',
      native: 'CUDA_ERROR_UNSUPPORTED_PTX_VERSION',
      message: expect.stringMatching(/^The PTX is newer than the driver\..*Update the driver/),
    });
  });

  gpuTest('what is neither is refused', async (device) => {
    const noise = ObjectCode.fromCubin(
      Uint8Array.from({ length: 500 }, (_, i) => i % 251),
      { name: 'noise' },
    );
    await expect(device.load(noise)).rejects.toBeInstanceOf(FfmaError);
  });
});
