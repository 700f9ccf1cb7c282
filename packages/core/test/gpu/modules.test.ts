import { describe, expect, type TestContext } from 'vitest';
import { compile, findToolchains } from '../../dist/compile/index.js';
import { FfmaError, launch, ObjectCode, type ObjectFormat } from '../../dist/index.js';
import { gpuTest, skipWithout } from './support/gpu.js';
import { block, futurePtx, kernels, wrongPtx } from './support/kernels.js';

const source = {
  name: 'twice.cu',
  text: `#include <ffma/ffma.cuh>
#include <ffma/fma.cuh>
extern "C" __global__ void twice(float* values) { values[threadIdx.x] = ffma::fma(values[threadIdx.x], 2.0f, 0.0f); }
`,
};

/** A compiler that is there but does not work is a failure; one that is not there says "There is no …". */
async function needCompiler(context: TestContext, name: 'nvcc' | 'nvrtc', format: ObjectFormat) {
  const status = (await findToolchains()).find((each) => each.name === name);
  if (status?.available === true) {
    if (!status.formats.includes(format))
      skipWithout(context, 'ptxas', 'There is no ptxas, which makes cubins.');
  } else if (status?.reason.startsWith('There is no ')) skipWithout(context, name, status.reason);
  else throw new Error(status?.reason);
}

describe('modules', () => {
  gpuTest('come from PTX by way of the JIT', async (device) => {
    using loaded = await device.load(kernels);
    expect(loaded.ranAs).toBe('jit');
    expect([...loaded.kernelNames].sort()).toEqual(['add', 'crash', 'nothing', 'shared', 'spin']);
    expect(() => loaded.kernel('none')).toThrow(/no kernel 'none'; it has /);
  });

  for (const compiler of ['nvcc', 'nvrtc'] as const) {
    for (const format of ['ptx', 'cubin'] as const) {
      gpuTest(`are compiled by ${compiler}, to ${format}`, async (device, context) => {
        await needCompiler(context, compiler, format);
        const arch = format === 'cubin' ? device.arch : device.arch.replace('sm_', 'compute_');
        const { object } = await compile({ source, arch, format, compiler, cache: false });
        using loaded = await device.load(object);
        expect(loaded).toMatchObject({ ranAs: format === 'cubin' ? 'cubin' : 'jit', kernelNames: ['twice'] });
        expect(loaded.kernel('twice').paramSizes).toEqual([8]);
        using stream = device.createStream();
        using buffer = await device.allocate(128);
        await buffer.copyFrom(stream, new Float32Array(32).fill(21));
        launch(stream, block(32), loaded.kernel('twice'), { type: 'pointer', buffer });
        const result = new Float32Array(32);
        await buffer.copyTo(stream, result);
        expect(result.every((value) => value === 42)).toBe(true);
        if (format === 'ptx') return;
        // Cut short, it is no machine code any more, and the driver must say so.
        const cut = ObjectCode.fromCubin(object.bytes.slice(0, 200), { name: 'cut' });
        await expect(device.load(cut)).rejects.toBeInstanceOf(FfmaError);
      });
    }
  }

  gpuTest('NVRTC gives the whole log of what it refuses', async (_, context) => {
    await needCompiler(context, 'nvrtc', 'ptx');
    const wrong = { name: 'wrong.cu', text: 'extern "C" __global__ void wrong() { nonsense; }\n' };
    const error = await compile({
      source: wrong,
      arch: 'compute_80',
      format: 'ptx',
      compiler: 'nvrtc',
      cache: false,
    }).catch((e: unknown) => e as FfmaError);
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
