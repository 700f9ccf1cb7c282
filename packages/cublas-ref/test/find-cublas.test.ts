import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchContext } from '@ffma/core/cuda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCublas, openCublas } from '../src/library/find-cublas.js';
import { StubLibraries } from './support/stub-libraries.js';

// The loader's own folders are outside of a test's reach, so every search here names its library.

const stubs = new StubLibraries();
afterAll(() => stubs[Symbol.dispose]());

let driver: string;
let right: string;
beforeAll(() => {
  process.env.FAKE_CUDA_VERSION = '12040';
  driver = stubs.driver();
  right = stubs.cublas(12);
});

/** Searches where FFMA_LIBCUBLAS is this. */
const find = (named: string, env: Record<string, string> = {}) =>
  findCublas({
    context: searchContext(
      { FFMA_LIBCUDA: driver, FFMA_LIBCUBLAS: named, ...env },
      stubs.folder,
      stubs.folder,
    ),
  });

test('a library that will do is reported with its file and version', async () => {
  expect(await find(right)).toEqual({
    found: true,
    path: right,
    version: '12.1.2',
    attempts: [],
    overrides: [],
  });
});

describe('a library that will not do is told with the reason', () => {
  test.each([
    [
      'missing',
      () => join(stubs.folder, 'none.so'),
      /none\.so: it does not load: cannot open shared object file: No such file or directory\.$/,
    ],
    [
      'broken',
      () => {
        const path = join(stubs.folder, 'broken.so');
        writeFileSync(path, 'This is no library.');
        return path;
      },
      /broken\.so: it does not load: (file too short|invalid ELF header)\.$/,
    ],
    ['too old', () => stubs.cublas(11, 'old.so'), /old\.so is cuBLAS 11\.1\.2, which is older than 12/],
    [
      'without a function',
      () => stubs.cublas(12, 'partial.so', '-DSTUB_WITHOUT_SGEAM'),
      /partial\.so: it has no function cublasSgeam\./,
    ],
    [
      'newer than the driver',
      () => stubs.cublas(13, 'new.so'),
      /new\.so is cuBLAS 13\.1\.2, which needs a driver for CUDA 13, but the installed one is for CUDA 12\.4\./,
    ],
  ])('%s', async (_, make, reason) => {
    const report = await find(make());
    expect(report).toMatchObject({ found: false, path: undefined, version: undefined });
    expect(report.attempts).toEqual([expect.stringMatching(reason)]);
  });
});

test('the next place is tried after one that will not do', async () => {
  const folder = join(stubs.folder, 'several');
  mkdirSync(folder);
  stubs.cublas(13, join('several', 'libcublas.so.13'));
  const second = stubs.cublas(12, join('several', 'libcublas.so.12'));
  const report = await find(folder);
  expect(report).toMatchObject({ found: true, path: second, version: '12.1.2' });
  expect(report.attempts).toEqual([expect.stringMatching(/needs a driver for CUDA 13/)]);
});

test('opening what is not there rejects, with all attempts and the remedy', async () => {
  const context = searchContext({ FFMA_LIBCUBLAS: stubs.folder }, stubs.folder, stubs.folder);
  const empty = join(stubs.folder, 'empty');
  mkdirSync(empty);
  await expect(openCublas({ context: { ...context, env: { FFMA_LIBCUBLAS: empty } } })).rejects.toMatchObject(
    {
      code: 'FFMA_UNAVAILABLE',
      message: expect.stringContaining(`${empty} holds no cuBLAS.`),
      remedy: expect.stringContaining('FFMA_LIBCUBLAS'),
      details: { attempts: [`${empty} holds no cuBLAS.`] },
    },
  );
});

test('variables that change the arithmetic are in the report', async () => {
  const { overrides } = await find(right, { NVIDIA_TF32_OVERRIDE: '1' });
  expect(overrides).toMatchObject([{ variable: 'NVIDIA_TF32_OVERRIDE', lossy: true }]);
});
