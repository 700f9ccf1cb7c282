import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gpuTestFiles, namedPaths } from './gpu-tests.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ffma-gpu-tests-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(file: string, text = ''): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
const tests = (...names: string[]) =>
  gpuTestFiles(
    root,
    names.map((name) => join(root, 'packages', name)),
  );

it('names what a module imports or opens by a relative path', () => {
  const text = `import { a } from './a.js';
    import './b.js';
    export * from "../c.js";
    import type { T } from './types.js';
    export type { T } from './types.js';
    const d = await import('./d.js');
    const e = new URL('./e.json', import.meta.url);
    import { expect } from 'vitest';
    const f = 'from ./f.js';`;
  expect(namedPaths(text)).toEqual(['./a.js', './b.js', '../c.js', './d.js', './e.json']);
});

it('takes the tests, all else below test/, and what they reach outside, but no other tests and nothing built', () => {
  put('packages/a/test/gpu/speed.test.ts', "import { x } from '../../src/x.js'; import '../../dist/y.js';");
  put('packages/a/test/gpu/shared.ts');
  put('packages/a/test/emulator.test.ts', "import '../src/only-emulator.js';");
  put('packages/a/test/data/vectors.json');
  put('packages/a/src/x.ts', "import './z.js'; new URL('../kernels', import.meta.url);");
  put('packages/a/src/z.ts');
  put('packages/a/src/z.test.ts');
  put('packages/a/src/only-emulator.ts');
  put('packages/a/kernels/k/kernel.cu');
  put('packages/a/dist/y.js');
  expect(tests('a')).toEqual([
    'packages/a/kernels/k/kernel.cu',
    'packages/a/src/x.ts',
    'packages/a/src/z.ts',
    'packages/a/test/data/vectors.json',
    'packages/a/test/gpu/shared.ts',
    'packages/a/test/gpu/speed.test.ts',
  ]);
});

it('takes nothing of a package without GPU tests', () => {
  put('packages/a/test/emulator.test.ts');
  put('packages/b/src/index.ts');
  expect(tests('a', 'b')).toEqual([]);
});
