import { openDevice } from '@ffma/core';
import { kernels } from '@ffma/kernels-cudacore';
import { describeConformance } from '@ffma/verify/vitest';
import { claimsOnEmulator, otherVariantsOnEmulator } from '../../../scripts/emulator/kernels-on-emulator.js';

for (const fma of ['relaxed', 'f64'] as const) {
  describeConformance(kernels, {
    variants: 'default',
    device: () => openDevice('emulator', { fma }),
    label: `${fma} FMA`,
  });
}
otherVariantsOnEmulator(kernels);
claimsOnEmulator(kernels);
