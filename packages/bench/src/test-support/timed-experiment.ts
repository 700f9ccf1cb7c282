import { defineExperiment, type Experiment } from '@ffma/core';
import { discoveryOf, type FakeKernelOptions, fakeKernel, fakePackage } from './fake-kernel.js';

/** Four rows at two sizes: a control, one of two candidates, one with sizes compiled in, and the reference. */
export const experiment: Experiment = defineExperiment({
  name: 'two-by-two',
  question: 'Does it help alone, or only together with the other one?',
  source: { title: 'An Article', table: 'the table “Two by two”' },
  sizes: [8, 6],
  rounds: 3,
  rows: [
    {
      name: 'neither',
      kernel: 'k01',
      published: [{ size: 8, value: 73.9, unit: 'us', gpu: 'H100', kind: 'fixed configuration' }],
    },
    {
      name: 'both',
      kernel: ['k02', 'k03'],
      published: [
        { size: 8, value: 67.6, unit: 'us', gpu: 'H100', kind: 'fixed configuration' },
        { size: 8, value: 97, unit: '%', gpu: 'H100', kind: "sweep's best", note: 'three tried' },
      ],
    },
    { name: 'sized', kernel: 'k04', sizes: [6] },
    { name: 'elsewhere', kernel: 'k99', optional: true },
    { name: 'library', kernel: { role: 'reference' } },
  ],
  pairs: [{ of: 'both', to: 'neither', about: 'prefetch and transposed A' }],
  conclude: (measured) =>
    measured.map((at) => `At ${at.label}, ${at.of('both').id} takes ${at.us('both').toFixed(1)} µs.`),
});

const usual: Readonly<Record<string, FakeKernelOptions>> = {
  lib: { role: 'reference' },
  k01: {},
  k02: {},
  k03: {},
  k04: { sized: () => {} },
};

/** µs of a launch of each. */
export const experimentTimes = {
  lib: () => 60,
  k01: () => 80,
  k02: () => 75,
  k03: () => 70,
  k04: () => 50,
};

/** Kernels, and the experiment that measures them. */
export function experimentDiscovery(kernels: Readonly<Record<string, FakeKernelOptions>> = usual) {
  const found = Object.entries({ ...usual, ...kernels }).map(([name, parts]) => fakeKernel(name, parts));
  const own = { experiment, package: fakePackage };
  return { ...discoveryOf(...found), experiments: [own] };
}
