import { expect, it } from 'vitest';
import { sampleKernel } from '../../test/support/sample-kernel.js';
import { defineKernel } from './define-kernel.js';
import { resourcesOf } from './resources.js';

const { definition } = sampleKernel(new URL('file:///nowhere/kernel.cu'));
const entry = { fn: 'gemm', signature: [] };
const kernel = defineKernel({
  ...definition,
  derive: () => ({ threads: 256, sharedBytes: 512 }),
  entries: { main: entry, zero: { ...entry, threads: 1024 }, small: { ...entry, threads: 32 } },
});

it('has what was counted of an entry, and of others the most that their own launch bound leaves a thread', () => {
  const counted = { registers: 96, sharedBytes: 512, spillBytes: 4 };
  expect(resourcesOf(kernel as never, { main: counted })).toEqual({
    main: { ...counted, estimated: false },
    zero: { registers: 64, sharedBytes: 512, spillBytes: 0, estimated: true },
    small: { registers: 255, sharedBytes: 512, spillBytes: 0, estimated: true },
  });
  expect(resourcesOf(kernel as never).main).toMatchObject({ registers: 255, estimated: true });
});

it('asks a declaration for an entry main', () => {
  expect(() => defineKernel({ ...definition, entries: { zero: entry } })).toThrow(
    /must have main, but are zero/,
  );
});
