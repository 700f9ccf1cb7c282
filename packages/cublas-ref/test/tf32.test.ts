import { openDevice } from '@ffma/core';
import { verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cublas, findCublas } from '../src/index.js';
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

test('TF32 that is forced from outside is reported, and the canary fails', async () => {
  await using device = await openDevice('cuda');
  const shape = { m: 48, n: 40, k: 256 };
  const report = await verifyGemm(device, cublas, { cases: [{ shape, data: 'canary' }] });
  expect(report.outcome).toBe('failed');
  const exact = report.cases[0]?.gates.find(({ gate }) => gate === 'exact');
  expect(exact?.failures).toBeGreaterThan(0.9 * shape.m * shape.n);
  expect(report.artefact).toMatchObject({
    mathMode: 'tf32',
    compiler: expect.stringMatching(/^cuBLAS 12\.1\.2; NVIDIA_TF32_OVERRIDE=1: TF32 is forced/),
  });
  expect((await findCublas()).overrides).toMatchObject([{ variable: 'NVIDIA_TF32_OVERRIDE', lossy: true }]);
});
