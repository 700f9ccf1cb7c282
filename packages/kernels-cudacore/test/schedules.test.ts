import { type DeviceOptions, openDevice } from '@ffma/core';
import { scheduleText, someSchedules } from '@ffma/emulator';
import {
  blocktiling1dV3,
  kernels,
  study,
  warptilingV2,
  warptilingV6,
  warptilingV7,
  warptilingV8,
} from '@ffma/kernels-cudacore';
import { conformanceCases } from '@ffma/verify';
import { describeConformance } from '@ffma/verify/vitest';

// No right kernel raises anything, or gives other bits, in whichever order its blocks and warps run.
// Of the study's kernels, which wait much alike, those that differ from their bases in that, under one schedule.
const waiting = [blocktiling1dV3, warptilingV2, warptilingV6, warptilingV7, warptilingV8];
const course = kernels.filter((kernel) => !study.includes(kernel));

for (const [i, schedule] of someSchedules(5).entries()) {
  describeConformance(i === 1 ? [...course, ...waiting] : course, {
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
