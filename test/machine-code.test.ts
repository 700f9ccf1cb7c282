import { discoverKernels, inspectSass, selectKernels } from '@ffma/bench';
import { UnsupportedError } from '@ffma/core';
import { expect, it } from 'vitest';
import { root } from './workspace.js';

// What ptxas makes of a kernel decides its speed, and no test of results notices when a compiler does worse.

const discovery = await discoverKernels(root);
const asked = discovery.kernels.flatMap(({ name, definition }) =>
  definition?.machineCode === undefined ? [] : selectKernels(discovery, [name]),
);

it('kernels say what their machine code must be like', () => {
  expect(asked.length).toBeGreaterThan(0);
});

it.for(asked.map((selected) => ({ id: selected.gemm.id, selected })))(
  '$id keeps the limits of its declaration',
  async ({ selected }, { skip }) => {
    const found = await inspectSass(selected).catch((error: unknown) => {
      if (!(error instanceof UnsupportedError)) throw error;
      return error;
    });
    if (found instanceof UnsupportedError) return skip(found.message);
    expect(found.broken).toEqual([]);
  },
);
