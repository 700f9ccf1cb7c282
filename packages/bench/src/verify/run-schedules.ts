import type { Device } from '@ffma/core';
import type { Schedule } from '@ffma/emulator';
import type { SelectedKernel } from '../discover/select.js';
import { mergeReports, type ScheduledReport } from './merge-reports.js';
import { type RunVerifyOptions, runVerify, type VerifiedKernel } from './run-verify.js';

export interface ScheduledOptions extends RunVerifyOptions {
  /** Opens a device of the emulator under a schedule; it is closed before the next is opened. */
  readonly open: (schedule: Schedule) => Promise<Device & AsyncDisposable>;
  /** A schedule in a word. */
  readonly nameOf: (schedule: Schedule) => string;
}

/**
 * Verifies kernels under one schedule after the other, and gives one report a kernel, whose cases name their schedule.
 * A case that runs past its limit ends the run.
 */
export async function runSchedules(
  schedules: readonly Schedule[],
  selected: readonly SelectedKernel[],
  { open, nameOf, ...options }: ScheduledOptions,
): Promise<VerifiedKernel[]> {
  const found = new Map<SelectedKernel, ScheduledReport[]>();
  const { onStep } = options;
  for (const [index, schedule] of schedules.entries()) {
    const name = nameOf(schedule);
    await using device = await open(schedule);
    const verified = await runVerify(device, selected, {
      ...options,
      onStep: ({ done, total, label }) =>
        onStep?.({
          done: index * total + done,
          total: schedules.length * total,
          label: `${label}, schedule ${name}`,
        }),
    });
    for (const { selected: one, report } of verified) {
      found.set(one, [...(found.get(one) ?? []), { schedule: name, report }]);
    }
    if (device.closed) break;
  }
  return [...found].map(([one, reports]) => ({ selected: one, report: mergeReports(reports) }));
}
