import { afterAll, describe, expect, it } from 'vitest';
import { buildFakeCuda, buildLibrary, runScript } from './support/fake-cuda.js';
import { Scratch } from './support/fake-tools.js';

const scratch = new Scratch();
const fake = buildFakeCuda(scratch);
afterAll(() => scratch[Symbol.dispose]());

/** What a device without a working NVML says when its clocks are asked, and what the report says. */
function without(nvml: string): { sampled: string; reported: string } {
  const module = JSON.stringify(new URL('../dist/cuda/index.js', import.meta.url).href);
  const { stdout } = runScript(
    `const { cudaReport } = await import(${module});
     const device = await core.openDevice('cuda');
     let sampled;
     try { device.sampleClocks(); } catch (error) { sampled = error.code + ': ' + error.message; }
     console.log(JSON.stringify({ sampled, reported: cudaReport().nvml.reason }));`,
    { FFMA_LIBCUDA: fake, FFMA_LIBNVML: nvml },
  );
  return JSON.parse(stdout);
}

const remedy = 'It comes with the NVIDIA driver; in a container, add the utility driver capability.';

describe('NVML', () => {
  it.each([
    ['missing', () => '/nowhere/libnvidia-ml.so.1', 'FFMA_LIBNVML is {}, which is not found'],
    [
      'in no folder that is named',
      () => scratch.path,
      'FFMA_LIBNVML is the folder {}, which holds no libnvidia-ml.so.1',
    ],
    [
      'broken',
      () => scratch.file('libnvml-text.so', 'no library'),
      '{} (FFMA_LIBNVML names it) does not load (file too short)',
    ],
    [
      'too old',
      () => buildLibrary(scratch, 'libnvml-old.so', 'extern "C" int nvmlInit_v2() { return 0; }'),
      '{} (FFMA_LIBNVML names it) is too old, it has no function nvmlErrorString',
    ],
  ])('that is %s is told with the reason', (_, make, reason) => {
    const path = make();
    const why = reason.replace('{}', path);
    const { sampled, reported } = without(path);
    expect(sampled).toBe(
      `FFMA_UNAVAILABLE: The clocks cannot be read, because NVML is not there: ${why}. ${remedy}`,
    );
    expect(reported).toBe(`${why[0]?.toUpperCase()}${why.slice(1)}.`);
  });
});
