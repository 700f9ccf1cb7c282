import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { registerProvider } from '@ffma/core';
import { afterEach, expect, test, vi } from 'vitest';
import { widthOf } from '../render/text.js';
import { fakeKernel } from '../test-support/fake-kernel.js';
import { kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { modelDevice, sweptKernel } from '../test-support/swept-kernel.js';
import { testIo } from '../test-support/test-io.js';
import { run } from './run.js';

afterEach(() => vi.unstubAllGlobals());

/** The command in a folder that has a kernel to search, on a GPU. */
async function ffma(...argv: readonly string[]) {
  using folder = temporaryFolder({
    'package.json': kernelPackageJson('own'),
    'kernels.js': 'export const kernels = globalThis.fakeKernels;',
    'space.json': { BM: [4, 8], DEEP: [true] },
  });
  vi.stubGlobal('fakeKernels', [sweptKernel, fakeKernel('lib', { role: 'reference' }).gemm]);
  const gpu = modelDevice('a');
  registerProvider({ kind: 'cuda', open: async () => gpu });
  const io = testIo({ cwd: folder.path });
  const inFolder = (word: string) => word.replace('DIR', folder.path);
  const before = readdirSync(folder.path);
  const code = await run(argv.map(inFolder), io);
  const stderr = io.stderr.text.replaceAll('\n', ' ');
  return {
    code,
    stdout: io.stdout.text,
    stderr,
    log: gpu.log,
    left: readdirSync(join(folder.path)).length - before.length,
  };
}

test('--dry-run shows candidates, rungs and an estimate, and runs nothing', async () => {
  const { code, stdout, stderr, log } = await ffma(
    'sweep',
    'k50',
    '--sizes',
    '8,12',
    '--dry-run',
    '--jobs',
    '4',
  );
  expect({ code, stderr, log }).toEqual({ code: 0, stderr: '', log: [] });
  expect(stdout).toContain('60 points, 18 refused by rules: 42 candidates');
  expect(stdout).toMatch(/^8³ +1 +34 +5 +3 +5$/m);
  expect(stdout).toMatch(/^12³ +1 +42 +6 +3 +5$/m);
  expect(stdout).toMatch(/^ +final +5 +1 +15 +40$/m);
  expect(stdout).toMatch(/1 min 3 s to compile at 6 s each on 4 cores/);
  expect(Math.max(...stdout.split('\n').map(widthOf))).toBeLessThanOrEqual(80);
});

test('the space is narrowed by a file, then by words, and split into shards', async () => {
  const dry = async (...argv: readonly string[]) => {
    const { stdout } = await ffma('sweep', 'k50', '--dry-run', '--json', '-', '--sizes', '8', ...argv);
    return JSON.parse(stdout) as { points: number; space: object; candidates: string[] };
  };
  const narrow = await dry('--space', 'DIR/space.json', '--set', 'BM=16', '--set', 'BN=8,16');
  expect(narrow).toMatchObject({
    points: 2,
    space: { BM: [16], BN: [8, 16], DEEP: [true] },
    candidates: ['k50_bm16_bn8_deep', 'k50_bm16_bn16_deep'],
  });
  const parts = await Promise.all(['1/3', '2/3', '3/3'].map((shard) => dry('--shard', shard)));
  expect(parts.flatMap(({ candidates }) => candidates).sort()).toEqual((await dry()).candidates.sort());
});

test.each<[string, RegExp]>([
  ['sweep k50 --shard 3/2', /written like 2\/8/],
  ['sweep k50 --set BM', /written like BM=64,128/],
  ['sweep k50 --set BX=1', /k50 has no parameter BX/],
  ['sweep k50 --space DIR/none.json', /cannot be read as JSON/],
  ['sweep k50 --by overheadPerFfma', /counts nothing: there, times decide/],
  ['sweep k50 --resume', /--resume goes on from the file of --json/],
  ['sweep lib', /has no parameters to search/],
  ['sweep all', /is 2 kernels; a sweep searches the space of one/],
  ['sweep k50 --export csv DIR/x', /--export takes a format and a file, but got 'csv/],
  ['sweep k50 --sizes 8,12 --export kernel-tuner DIR/x', /of one size, but 2 are swept/],
  ['sweep k50 --json DIR/no/such/folder.json', /cannot be written/],
  ['merge DIR/out.json DIR/space.json', /is no result of ffma/],
  ['merge DIR/out.json DIR/a.json.journal', /is the journal of a sweep .* --resume, then merge/],
])('%s is wrong usage, said before anything runs', async (line, message) => {
  const { code, stderr, stdout, log, left } = await ffma(...line.split(' '));
  expect({ code, stdout, log, left }).toEqual({ code: 2, stdout: '', log: [], left: 0 });
  expect(stderr).toMatch(message);
});
