import { describe, expect, it } from 'vitest';
import { keepsInstalled, keepsOwn } from './contents.mjs';

describe('of an installed package', () => {
  it.each([
    ['index.js'],
    ['package.json'],
    ['dist/binding.linux-x64-gnu.node'],
    ['dist/doc/node.js'],
    ['LICENSE.md'],
    ['docs/NOTICE.txt'],
  ])('%s travels', (file) => expect(keepsInstalled('some', file)).toBe(true));

  it.each([
    ['README.md'],
    ['index.js.map'],
    ['index.d.ts'],
    ['index.d.cts'],
    ['src/index.ts'],
    ['tests/index.js'],
    ['docs/api.html'],
  ])('%s does not', (file) => expect(keepsInstalled('some', file)).toBe(false));

  it("binaryen's library travels, its programs do not", () => {
    expect(keepsInstalled('binaryen', 'index.js')).toBe(true);
    expect(keepsInstalled('binaryen', 'bin/wasm-opt')).toBe(false);
    expect(keepsInstalled('some', 'bin/some.js')).toBe(true);
  });
});

describe('of a package of ours', () => {
  const files = [
    'dist',
    '!dist/private/**',
    '!dist/native',
    'include',
    'kernels/**/*.cu',
    './bin/',
    'README.md',
  ];

  it.each([
    ['package.json'],
    ['dist/index.js'],
    ['include/ffma/fma.cuh'],
    ['kernels/a/b/kernel.cu'],
    ['kernels/kernel.cu'],
    ['bin/ffma.js'],
    ['LICENSE'],
    ['dist/native/addon.node'],
  ])('%s travels', (file) => expect(keepsOwn(files, file)).toBe(true));

  it.each([
    ['src/index.ts'],
    ['distant/index.js'],
    ['build/Release/addon.node'],
    ['dist/private/index.js'],
    ['dist/index.test.js'],
    ['dist/.tsbuildinfo'],
    ['dist/index.d.ts'],
    ['kernels/a/NOTES.md'],
    ['README.md'],
  ])('%s does not', (file) => expect(keepsOwn(files, file)).toBe(false));
});
