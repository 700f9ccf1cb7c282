import { type DeviceOptions, openDevice } from '@ffma/core';
import { scheduleText, someSchedules } from '@ffma/emulator';
import { kernels } from '@ffma/kernels-cudacore';
import { conformanceCases } from '@ffma/verify';
import { describeConformance } from '@ffma/verify/vitest';

// No right kernel raises anything, or gives other bits, in whichever order its blocks and warps run.
for (const schedule of someSchedules(5)) {
  describeConformance(kernels, {
    label: `schedule ${scheduleText(schedule)}`,
    variants: 'default',
    device: () => openDevice('emulator', { schedule } as DeviceOptions),
    // Whole tiles and ragged ones, and a C that is read: what a kernel does not take is rounded up to what it does.
    cases: (gemm) =>
      conformanceCases(gemm, { level: 'quick' }).filter(
        ({ data, shape: { m, k } }) => (data === 'integers' && m > 1) || (data === 'special' && k > 0),
      ),
  });
}
