import { defineKernel, gemmArgs, type MachineCodeLimits } from '@ffma/core';

interface Own {
  readonly ids?: { readonly default: string };
  readonly symbolTag?: string;
  readonly machineCode?: () => MachineCodeLimits;
}

/** A variant of a kernel without a source: k99, of one launch. */
export const fakeVariant = (own: Own) =>
  defineKernel({
    name: 'k99',
    slug: 'fake',
    change: 'Nothing.',
    source: new URL('file:///nowhere/kernel.cu'),
    params: {},
    derive: () => ({ threads: 256, sharedBytes: 0 }),
    plan: (problem) => ({
      launches: [
        { entry: 'main', grid: [1, 1, 1], block: [256, 1, 1], sharedBytes: 0, args: gemmArgs(problem) },
      ],
    }),
    exactness: 'k-order',
    ...own,
  });
