import { openDevice } from '@ffma/core';
import { verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cublas, cublasPedantic, findCublas } from '../src/index.js';
import { StubLibraries } from './support/stub-libraries.js';
import { StubWords } from './support/stub-words.js';

// The stub multiplies in TF32 where the variable says so, as cuBLAS does.

const libraries = new StubLibraries();
const words = new StubWords(libraries.folder);
beforeAll(() => {
  process.env.NVIDIA_TF32_OVERRIDE = '1';
  process.env.FFMA_LIBCUDA = libraries.driver();
  process.env.FFMA_LIBCUBLAS = libraries.cublas(12);
  process.env.FFMA_CACHE_DIR = libraries.folder;
});
afterAll(() => {
  words[Symbol.dispose]();
  libraries[Symbol.dispose]();
});

const shape = { m: 48, n: 40, k: 256 };
const cases = [{ shape, data: 'canary' }] as const;

test('TF32 that is forced from outside is reported, and the canary fails', async () => {
  await using device = await openDevice('cuda');
  const report = await verifyGemm(device, cublas, { cases });
  expect(report.outcome).toBe('failed');
  const exact = report.cases[0]?.gates.find(({ gate }) => gate === 'exact');
  expect(exact?.failures).toBeGreaterThan(0.9 * shape.m * shape.n);
  expect(report.artefact).toMatchObject({
    mathMode: 'tf32',
    compiler: expect.stringMatching(/^cuBLAS 12\.1\.2; NVIDIA_TF32_OVERRIDE=1: TF32 is forced/),
  });
  expect((await findCublas()).overrides).toMatchObject([{ variable: 'NVIDIA_TF32_OVERRIDE', lossy: true }]);
});

test('pedantic math stays FP32, and what is set is still reported', async () => {
  await using device = await openDevice('cuda');
  expect(await verifyGemm(device, cublasPedantic, { cases })).toMatchObject({
    outcome: 'passed',
    artefact: {
      mathMode: 'fp32-pedantic',
      compiler: 'cuBLAS 12.1.2; pedantic math; NVIDIA_TF32_OVERRIDE=1 is set',
    },
  });
});
