import { existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerProvider } from '@ffma/core';
import { vi } from 'vitest';
import { run } from '../cli/run.js';
import { type BenchResult, resultSchema } from '../result/schema.js';
import { type FakeKernelOptions, fakeKernel } from './fake-kernel.js';
import { FakeTimingDevice, type FakeTimingOptions } from './fake-timing-device.js';
import { kernelPackageJson, temporaryFolder } from './kernel-folders.js';
import { testIo } from './test-io.js';

/** A reference and a kernel. */
export const usual: Readonly<Record<string, FakeKernelOptions>> = { lib: { role: 'reference' }, k01: {} };
/** Two rounds of two launches at one size. */
export const short = ['--rounds', '2', '--launches', '2', '--sizes', '8'];

/**
 * The command in a folder that has these kernels, on a GPU whose launches take what they are told. `FILE` in its
 * arguments is a file of that folder.
 * @pre stubbed globals are taken back after each test
 */
export async function ffma(
  argv: readonly string[],
  {
    kernels = usual,
    device = {} as FakeTimingOptions,
    onTimed = (_: string, __: () => boolean) => {},
    onFile = (_: string) => {},
    before = '',
    files = {} as Readonly<Record<string, string>>,
    isTTY = false,
  } = {},
) {
  const folder = temporaryFolder({
    'package.json': kernelPackageJson('own'),
    'kernels.js': 'export const kernels = globalThis.fakeKernels;',
    ...files,
  });
  vi.stubGlobal(
    'fakeKernels',
    Object.entries(kernels).map(([name, parts]) => fakeKernel(name, parts).gemm),
  );
  const io = testIo({ cwd: folder.path, isTTY });
  const gpu = new FakeTimingDevice({ times: { lib: () => 60, k01: () => 50 }, ...device });
  const { launched } = gpu;
  gpu.launched = (kernel) => {
    if (gpu.log.at(-1) === 'record') onTimed(kernel, io.interrupt);
    launched.call(gpu, kernel);
  };
  registerProvider({ kind: 'cuda', open: async () => gpu });
  const file = join(folder.path, 'result.json');
  onFile(file);
  if (before !== '') await writeFile(file, before);
  const code = await run(
    argv.map((word) => (word === 'FILE' ? file : word)),
    io,
  );
  const text = existsSync(file) && statSync(file).isFile() ? await readFile(file, 'utf8') : undefined;
  const result = text === undefined || text === before ? undefined : resultSchema.parse(JSON.parse(text));
  folder[Symbol.dispose]();
  return { code, stdout: io.stdout.text, stderr: io.stderr.text, result: result as BenchResult, io, gpu };
}
