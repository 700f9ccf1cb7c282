import { type Device, type GemmShape, gemmProblem } from '@ffma/core';
import type { LaunchProfile } from '@ffma/emulator';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { loadOptions } from '../device/compile-here.js';
import type { SelectedKernel } from '../discover/select.js';
import { rowIdentity } from '../result/row-identity.js';
import type { ResultRow } from '../result/schema.js';
import { integersFor } from '../timing/problem-batch.js';
import { correctnessOf } from '../verify/summary.js';
import { launchCompiled } from './compiled.js';
import { isCounting, rowCounters } from './counters.js';
import { digestsOf } from './digests.js';

/** At the measured size itself: integers that only exact float32 gets right, then ordinary numbers. */
function casesAt(shape: GemmShape): VerifyCase[] {
  return [
    { shape, data: integersFor(shape), expect: 'either' },
    { shape, data: 'uniform', expect: 'either' },
  ];
}

export interface RowContext {
  readonly asked: boolean;
  readonly base: SelectedKernel | undefined;
  readonly compile: boolean;
}

/**
 * Measures one kernel at one size: correct results first; then, of a device that counts, what the last of the
 * verified runs did, so that what is reported is what was checked. A row that is wrong carries no measurement.
 */
export async function measureRow(
  device: Device,
  { gemm, kernel }: SelectedKernel,
  size: GemmShape,
  { asked, base, compile }: RowContext,
): Promise<ResultRow> {
  let profiles: readonly LaunchProfile[] = [];
  const counting = isCounting(device) ? device : undefined;
  counting?.takeProfiles();
  const report = await verifyGemm(device, gemm, {
    cases: casesAt(size),
    load: loadOptions(compile),
    onCase: () => {
      profiles = counting?.takeProfiles() ?? [];
    },
  });
  const { alignment: _, ...problem } = gemmProblem(size);
  const correctness = correctnessOf(report);
  const compiled = (profile: LaunchProfile) =>
    launchCompiled(kernel.package, profile.kernel, profile.config, device);
  return {
    ...rowIdentity({ gemm, kernel }),
    asked,
    ...(gemm.specialised === true ? { specialised: true as const } : {}),
    ...(base === undefined ? {} : { base: { id: base.gemm.id, package: base.kernel.package.name } }),
    problem,
    ...(report.artefact === undefined ? {} : { artefact: { ...report.artefact } }),
    ...digestsOf({ gemm, kernel }, report.artefact),
    correctness,
    ...(correctness.status === 'passed' && counting ? { counters: rowCounters(profiles, compiled) } : {}),
  };
}
