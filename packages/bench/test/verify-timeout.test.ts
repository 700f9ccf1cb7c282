import { expect, test } from 'vitest';
import { buildFakeCuda } from '../../core/test/support/fake-cuda.js';
import { Scratch } from '../../core/test/support/fake-tools.js';
import { ffma } from './ffma.js';
import { hangingPackage } from './hanging-package.js';

test('verify ends at a kernel that does not, with a sentence, though the device cannot stop it', async () => {
  using scratch = new Scratch();
  using folder = hangingPackage({
    ptx: 'kernels sleep:4',
    kernel: 'sleep',
    arg: { type: 'i32', value: 60_000 },
  });
  const env = { FFMA_LIBCUDA: buildFakeCuda(scratch), FFMA_ROOT: folder.path, FAKE_CUDA_PATIENT: '1' };
  const start = performance.now();
  const { code, stdout, stderr } = await ffma(['verify', '-d', 'cuda', '--timeout', '1'], folder.path, env);
  expect(performance.now() - start).toBeLessThan(20_000);
  expect(stdout).toMatch(/It was not done after 1 s, the time that a case may take\./);
  expect(stdout).toMatch(/a case took too long/);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
});
