import { verifyGemm } from '@ffma/verify';
import { expect, test } from 'vitest';
import { FakeDevice } from '../test-support/fake-device.js';
import { fakeKernel, selected } from '../test-support/fake-kernel.js';
import { plain } from './style.js';
import { renderVerified } from './verify.js';

const cases = [{ shape: { m: 8, n: 8, k: 8 }, data: 'integers' }] as const;

async function rowOf(options: Parameters<typeof fakeKernel>[1]): Promise<string> {
  const kernel = selected(fakeKernel('k01', options)) as Parameters<
    typeof renderVerified
  >[0][number]['selected'];
  const report = await verifyGemm(new FakeDevice(), kernel.gemm, { cases });
  return renderVerified([{ selected: kernel, report }], plain, 80).join('\n');
}

test('a kernel that could not be loaded is not called wrong', async () => {
  const text = await rowOf({ failsToLoad: 'no artefact' });
  expect(text).toMatch(/^k01_bm32 +not run +0 +0 +0/m);
  expect(text).toContain('no artefact');
});

test('a kernel that is wrong is', async () => {
  expect(await rowOf({ error: 1 })).toMatch(/^k01_bm32 +failed +0 +1 +0/m);
});
