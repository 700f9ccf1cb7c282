import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { neededVersions, newest } from '../scripts/lib/needed-versions.mjs';
import { root } from './workspace.js';

// What an addon asks of the host that it is copied to: of libraries that come with a compiler, nothing.

const addons = [
  'packages/core/dist/native/ffma.node',
  'packages/core/dist/native/benchmark.node',
  'packages/cublas-ref/dist/native/ffma_cublas.node',
].filter((file) => existsSync(join(root, file)));

/** Whether the compiler has the static C++ library, which some distributions leave to a package of its own. */
const hasStatic = (() => {
  try {
    const args = ['-print-file-name=libstdc++.a'];
    return isAbsolute(execFileSync(process.env.CXX ?? 'c++', args, { encoding: 'utf8' }));
  } catch {
    return false;
  }
})();

const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };

describe.runIf(hasStatic).each(addons)('%s', (addon) => {
  const { libraries, glibc } = neededVersions(join(root, addon));

  it('needs libraries of glibc and the unwinder alone', () => {
    const usual = /^(lib(c|m|dl|pthread|gcc_s)|ld-linux-x86-64)\.so\.\d$/;
    expect(libraries.filter((library) => !usual.test(library))).toEqual([]);
  });

  // That of Debian 12. Made on a newer system, an addon may need more than the oldest that is promised.
  it.runIf(header.glibcVersionRuntime === '2.36')('runs with glibc 2.34', () => {
    expect(newest([glibc, '2.34'])).toBe('2.34');
  });
});
