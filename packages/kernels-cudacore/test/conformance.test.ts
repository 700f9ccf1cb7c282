import { openDevice } from '@ffma/core';
import { kernels, study } from '@ffma/kernels-cudacore';
import { describeConformance } from '@ffma/verify/vitest';
import {
  claimsOnEmulator,
  fewCases,
  otherVariantsOnEmulator,
} from '../../../scripts/emulator/kernels-on-emulator.js';

const course = kernels.filter((kernel) => !study.includes(kernel));
for (const fma of ['relaxed', 'f64'] as const) {
  describeConformance(course, {
    variants: 'default',
    device: () => openDevice('emulator', { fma }),
    label: `${fma} FMA`,
  });
}
otherVariantsOnEmulator(course);

// Kernels of the study are many and much alike: one case a rule, and of other variants sums and what IEEE 754 says.
describeConformance(study, {
  variants: 'default',
  device: () => openDevice('emulator'),
  label: 'study',
  level: 'quick',
});
describeConformance(
  study.flatMap(({ variants }) => [...variants.values()].slice(1)),
  {
    device: () => openDevice('emulator'),
    label: 'other variants of the study',
    load: { compile: true },
    timeout: 120_000,
    cases: fewCases,
  },
);
claimsOnEmulator(kernels);
