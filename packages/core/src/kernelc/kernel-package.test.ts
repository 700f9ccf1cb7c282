import { describe, expect, it } from 'vitest';
import { Scratch } from '../../test/support/fake-tools.js';
import { samplePackage } from '../../test/support/kernel-package.js';
import { findVariant, openKernelPackage } from './kernel-package.js';

const core = new URL('../gemm/define-kernel.ts', import.meta.url);

describe('openKernelPackage', () => {
  it('loads the kernels that package.json names', async () => {
    using scratch = samplePackage(core);
    const opened = await openKernelPackage(scratch.path);
    expect(opened).toMatchObject({ root: scratch.path, name: '@x/sample', version: '1.2.3' });
    expect(opened.kernels.map(({ name }) => name)).toEqual(['k70']);
  });

  it.each([
    [{}, 'FFMA_ARGUMENT', /There is no package\.json in/],
    [{ 'package.json': '{' }, 'FFMA_ARGUMENT', /package\.json is not JSON/],
    [{ 'package.json': '{"name":"p"}' }, 'FFMA_ARGUMENT', /package\.json of p has no "ffma"/],
    [
      { 'package.json': '{"ffma":{"kernels":"./i.js"}}' },
      'FFMA_UNAVAILABLE',
      /are not compiled\. Compile them first/,
    ],
    [
      { 'package.json': '{"ffma":{"kernels":"./i.mjs"}}', 'i.mjs': 'nonsense(' },
      'FFMA_ARGUMENT',
      /could not be imported/,
    ],
    [
      { 'package.json': '{"ffma":{"kernels":"./i.mjs"}}', 'i.mjs': 'export const kernels = [1]' },
      'FFMA_ARGUMENT',
      /must export `kernels`/,
    ],
  ])('refuses %j', async (files, code, message) => {
    using scratch = new Scratch();
    for (const [name, text] of Object.entries(files)) scratch.file(name, text);
    const opening = openKernelPackage(scratch.path);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toMatchObject({ code });
  });

  it('refuses variants of two kernels that have one id', async () => {
    using scratch = samplePackage(core);
    scratch.file(
      'dist/index.js',
      `import { defineKernel } from ${JSON.stringify(core.href)};
import { kernels as scale } from './kernels/k70-scale/kernel.js';
const ids = { default: 'k70_bm32' };
export const kernels = [...scale, defineKernel({ ...scale[0].definition, name: 'k71', ids })];
`,
    );
    await expect(openKernelPackage(scratch.path)).rejects.toThrow(
      /Two variants of this package are called k70_bm32/,
    );
  });
});

describe('findVariant', () => {
  it('takes a kernel, a kernel and a variant, or an id', async () => {
    using scratch = samplePackage(core);
    const opened = await openKernelPackage(scratch.path);
    expect(findVariant(opened, 'k70').id).toBe('k70_bm32');
    expect(findVariant(opened, 'k70', 'wide').id).toBe('k70_bm64');
    expect(findVariant(opened, 'k70_bm64').id).toBe('k70_bm64');
    expect(() => findVariant(opened, 'k71')).toThrow(/@x\/sample has no kernel 'k71'; it has k70/);
    expect(() => findVariant(opened, 'k70', 'tall')).toThrow(/no variant 'tall'; it has default, wide/);
  });
});
