import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findClang, findCmake, findCxx, findNvcc, which } from './tools.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ffma-tools-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Puts a program into the folder that answers every call with the same text. */
function program(name: string, answer: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\ncase "$1" in\n${answer}\nesac\n`);
  chmodSync(join(folder, name), 0o755);
}
const path = () => ({ PATH: folder });
const clang = (version: string, targets: string) =>
  `--version) echo 'Debian clang version ${version}';;\n--print-targets) echo '    ${targets} - a target';;`;

it('finds a program on the path only where it can be run', () => {
  writeFileSync(join(folder, 'cmake'), 'not a program');
  expect(which('cmake', path())).toBeUndefined();
  chmodSync(join(folder, 'cmake'), 0o755);
  expect(which('cmake', path())).toBe(join(folder, 'cmake'));
});

it('reads the versions that tools print', async () => {
  program('nvcc', "--version) echo 'Cuda compilation tools, release 13.0, V13.0.88';;");
  program('g++', "--version) echo 'g++ (Debian 12.2.0-14+deb12u1) 12.2.0';;");
  program('cmake', "--version) echo 'cmake version 3.25.1';;");
  program('clang-19', clang('19.1.7', 'nvptx64'));
  const found = await Promise.all([findNvcc(path()), findCxx(path()), findCmake(path()), findClang(path())]);
  expect(found.map((tool) => tool?.version)).toEqual(['13.0.88', '12.2.0', '3.25.1', '19.1.7']);
});

it('passes over a clang that is too old or cannot emit PTX', async () => {
  program('clang', clang('14.0.6', 'nvptx64'));
  program('clang-20', clang('20.1.0', 'x86-64'));
  expect(await findClang(path())).toBeUndefined();
  program('clang-19', clang('19.1.7', 'nvptx64'));
  expect((await findClang(path()))?.path).toBe(join(folder, 'clang-19'));
});

it('takes an nvcc that does not run for none', async () => {
  program('nvcc', '*) exit 1;;');
  expect(await findNvcc(path())).toBeUndefined();
});

it('looks where the environment says', async () => {
  program('my-nvcc', "--version) echo 'release 12.9, V12.9.41';;");
  expect((await findNvcc({ PATH: '', NVCC: join(folder, 'my-nvcc') }))?.version).toBe('12.9.41');
});
