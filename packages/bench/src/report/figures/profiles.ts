import { sameSize } from '@ffma/core';
import type { Size } from '../../bench/sizes.js';
import { type ExperimentResult, fastestOf } from '../../experiment/row-figures.js';
import type { ReportInput } from '../inputs.js';
import { mainLaunch, type Profiled } from './profiled.js';

/** What was profiled of a row of an experiment: its fastest kernel at the size, in the first profile that has it. */
export function profiledRow(
  result: ExperimentResult,
  name: string,
  size: Size,
  inputs: readonly ReportInput[],
): Profiled | undefined {
  const row = result.experiment.rows.find((one) => one.name === name);
  const kernel = row && fastestOf(row, result.rows, size);
  if (kernel === undefined) return undefined;
  for (const { result: profile } of inputs) {
    if (profile.kind !== 'profile' || profile.device.name !== result.device.name) continue;
    const found = profile.rows.find(
      (one) =>
        one.id === kernel.id && one.package.name === kernel.package.name && sameSize(one.problem, size),
    );
    const launch = found && mainLaunch(found);
    if (launch !== undefined) return { name, launch };
  }
  return undefined;
}
