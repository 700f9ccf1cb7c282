import { CompileError, UnavailableError } from '@ffma/core';
import { afterEach, expect, test, vi } from 'vitest';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../test-support/kernel-folders.js';
import { testIo } from '../test-support/test-io.js';
import { UsageError } from '../usage-error.js';
import { progressOn } from './progress.js';
import { reportError } from './report-error.js';
import { run } from './run.js';

afterEach(() => vi.restoreAllMocks());

test('an error of ffma is its message and code, without a stack', () => {
  const io = testIo();
  const code = reportError(new UnavailableError('There is no GPU.', { remedy: 'Use the emulator.' }), io);
  expect(code).toBe(1);
  expect(io.stderr.text).toBe('error: There is no GPU. Use the emulator. (FFMA_UNAVAILABLE)\n');
});

test('on a terminal an error is wrapped, and a path is broken between names only', () => {
  const io = testIo({ isTTY: true, env: { NO_COLOR: '1' } });
  const path = `/${Array.from({ length: 12 }, (_, i) => `folder-${i}`).join('/')}/file.json`;
  reportError(new UnavailableError(`${path} cannot be read, and this sentence says so at length.`), io);
  const lines = io.stderr.text.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines[0]).toMatch(/^error: \/folder-0\/.*\/folder-\d\/$/);
  expect(lines.join('')).toContain(path);
});

test('FFMA_DEBUG adds the stack; a compiler log is shown whole; an unknown error says it is unexpected', () => {
  const debug = testIo({ env: { FFMA_DEBUG: '1' } });
  reportError(new UnavailableError('x'), debug);
  expect(debug.stderr.text).toMatch(/\n {4}at /);
  const compile = testIo();
  reportError(new CompileError('It does not compile.', { details: { log: 'line 1\nline 2' } }), compile);
  expect(compile.stderr.text).toBe('error: It does not compile. (FFMA_COMPILE)\nline 1\nline 2\n');
  const bug = testIo();
  expect(reportError(new TypeError('x is not a function'), bug)).toBe(1);
  expect(bug.stderr.text).toMatch(/x is not a function\nThis should not happen; FFMA_DEBUG=1/);
});

test('wrong usage exits with 2', async () => {
  expect(reportError(new UsageError('no'), testIo())).toBe(2);
  for (const argv of [['lst'], ['list', '--nope'], ['inspect'], ['inspect', 'k01', '--size', '4x4']]) {
    const io = testIo();
    expect(await run(argv, io), argv.join(' ')).toBe(2);
    expect(io.stderr.text).not.toBe('');
    expect(io.stdout.text).toBe('');
  }
});

test('help and version go to standard output and exit with 0', async () => {
  const io = testIo();
  expect(await run(['--help'], io)).toBe(0);
  expect(io.stdout.text).toMatch(/Usage: ffma/);
  expect(Math.max(...io.stdout.text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(await run(['--version'], testIo())).toBe(0);
});

test('list shows the kernels of the folder it is called in, and what is broken', async () => {
  using folder = temporaryFolder({
    'package.json': { name: 'root', dependencies: { ladder: '1', unbuilt: '1' } },
    'node_modules/ladder/package.json': kernelPackageJson('ladder'),
    'node_modules/ladder/kernels.js': kernelModule(
      { name: 'k01' },
      { name: 'k02', basedOn: 'k01', variants: ['wide'] },
    ),
    'node_modules/unbuilt/package.json': kernelPackageJson('unbuilt'),
  });
  const text = testIo({ cwd: folder.path });
  expect(await run(['list'], text)).toBe(0);
  expect(text.stdout.text).toMatch(/ladder 1\.2\.3 · 2 kernels/);
  expect(text.stdout.text).toMatch(/k02_bm32 +k01 +k-order +nothing +Does k02\./);
  expect(text.stdout.text).toMatch(/not usable {2}unbuilt: It is not built/);
  const json = testIo({ cwd: folder.path });
  expect(await run(['list', '--json', '--variants'], json)).toBe(0);
  const listed = JSON.parse(json.stdout.text);
  expect(listed.kernels.map((k: { selector: string }) => k.selector)).toEqual(['k01', 'k02', 'k02/wide']);
  expect(listed.broken[0].name).toBe('unbuilt');
});

test('an unknown kernel exits with 2 and names what is near', async () => {
  using folder = temporaryFolder({
    'package.json': kernelPackageJson('own'),
    'kernels.js': kernelModule({ name: 'k01' }),
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(['inspect', 'k1', '--entry'], io)).toBe(2);
  expect(io.stderr.text).toBe("error: There is no kernel 'k1'. Did you mean k01? (FFMA_ARGUMENT)\n");
});

test('progress is silent where there is no terminal', () => {
  const io = testIo();
  using progress = progressOn(io.stderr);
  progress.show({ done: 0, total: 2, label: 'one' });
  progress.clear();
  expect(io.stderr.text).toBe('');
});

test('progress on a terminal is one line that is redrawn, tells the time left, and goes away', () => {
  const io = testIo({ isTTY: true });
  let time = 0;
  {
    using progress = progressOn(io.stderr, () => time);
    progress.show({ done: 0, total: 4, label: 'first' });
    time = 10;
    progress.show({ done: 1, total: 4, label: 'too soon to redraw' });
    time = 5000;
    progress.show({ done: 1, total: 4, label: 'second' });
  }
  expect(io.stderr.text).toBe('\r\u001b[2K0/4  first\r\u001b[2K1/4, 15 s left  second\r\u001b[2K');
});
