import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { neededVersions, newest } from './needed-versions.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ffma-needed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('reads libraries, and the newest glibc, by number and not by letters', () => {
  const file = join(folder, 'program');
  const names = [
    'libm.so.6',
    'libstdc++.so.6',
    'GLIBC_2.9',
    'GLIBC_2.34',
    'GLIBCXX_3.4.30',
    'see GLIBC_2.99',
  ];
  writeFileSync(file, `\u007fELF\0${names.join('\0')}\0`);
  expect(neededVersions(file)).toEqual({ libraries: ['libm.so.6', 'libstdc++.so.6'], glibc: '2.34' });
  expect(newest([])).toBe('0');
});

describe.runIf(process.platform === 'linux')('the Node.js that runs this', () => {
  it('needs no newer glibc than the one it runs with', () => {
    const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
    const running = header.glibcVersionRuntime;
    const { glibc } = neededVersions(process.execPath);
    expect(glibc).not.toBe('0');
    expect(newest([glibc, running ?? '0'])).toBe(running);
  });
});
