import { type DeviceOptions, openDevice } from '@ffma/core';
import { scheduleText, someSchedules } from '@ffma/emulator';
import { kernels } from '@ffma/streamk';
import { conformanceCases, type VerifyCase } from '@ffma/verify';
import { describeConformance } from '@ffma/verify/vitest';
import { smallDevice } from '../../../scripts/emulator/small-device.js';

/** Six blocks of which some share a tile, where there are three multiprocessors. */
const shared: readonly VerifyCase[] = [
  { shape: { m: 256, n: 512, k: 40, alpha: 2, beta: -3 }, data: 'integers', expect: 'run' },
  { shape: { m: 128, n: 896, k: 24 }, data: 'integers', expect: 'run' },
];

// No right kernel raises anything, or gives a wrong result, in whichever order its blocks and warps run.
for (const schedule of someSchedules(5)) {
  const options = { schedule } as DeviceOptions;
  const label = `schedule ${scheduleText(schedule)}`;
  describeConformance(kernels, {
    label,
    variants: 'default',
    device: () => openDevice('emulator', options),
    cases: (gemm) =>
      conformanceCases(gemm, { level: 'quick' }).filter(
        ({ data, shape: { m, k } }) => (data === 'integers' && m > 1) || (data === 'special' && k > 0),
      ),
  });
  describeConformance(kernels, {
    label: `shared tiles, ${label}`,
    variants: 'default',
    device: () => smallDevice(3, options),
    cases: () => shared,
  });
}
