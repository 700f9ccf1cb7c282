import type { Device, Gemm } from '@ffma/core';
import {
  type CaseResult,
  caseName,
  conformanceCases,
  unaskable,
  type VerifyCase,
  type VerifyReport,
  verifyGemm,
} from '@ffma/verify';
import { compilesHere, loadOptions } from '../device/compile-here.js';
import { nearNames } from '../discover/near-names.js';
import type { SelectedKernel } from '../discover/select.js';
import { type LeftOut, usableOn } from '../discover/usable.js';
import type { OnStep } from '../step.js';
import { UsageError } from '../usage-error.js';

export interface RunVerifyOptions {
  /** `quick`: one case a rule; `full`: every rule; `wide`: and larger problems. Default `full`. */
  readonly level?: 'quick' | 'full' | 'wide';
  /** Only cases whose name contains this; `33x17x65` matches `33×17×65`. */
  readonly case?: string;
  /** Compile variants that were not built. Default: on a GPU, where there is a compiler. */
  readonly compile?: boolean | undefined;
  /** Milliseconds that a case may take; then it fails, the device is closed and the run ends. Default: no limit. */
  readonly caseTimeoutMs?: number;
  readonly onStep?: OnStep;
  readonly onReport?: (report: VerifiedKernel) => void;
  /** Called once where there are references that nobody named and that do not run here. */
  readonly onLeftOut?: (leftOut: readonly LeftOut[]) => void;
}

/** A kernel and what became of it. */
export interface VerifiedKernel {
  readonly selected: SelectedKernel;
  readonly report: VerifyReport;
}

const plain = (text: string) => text.toLowerCase().replaceAll('×', 'x');

function casesOf(
  { gemm }: SelectedKernel,
  { level = 'full', case: wanted = '' }: RunVerifyOptions,
): VerifyCase[] {
  return conformanceCases(gemm, { level }).filter((one) => plain(caseName(one)).includes(plain(wanted)));
}

/** The cases of a kernel, or what its declaration threw: that is its own failure, and no other's. */
function askedOf(one: SelectedKernel, options: RunVerifyOptions) {
  try {
    return { cases: casesOf(one, options), error: undefined };
  } catch (thrown) {
    return { cases: [], error: { thrown } };
  }
}

function noCase(selected: readonly SelectedKernel[], wanted: string): UsageError {
  const names = selected.flatMap(({ gemm }) => conformanceCases(gemm, { level: 'wide' }).map(caseName));
  const near = nearNames(wanted, names);
  return new UsageError(`No case contains '${wanted}'.`, {
    remedy: `Cases are named like ${(near.length > 0 ? near : names.slice(0, 3)).map((name) => `'${name}'`).join(', ')}; --level wide has the most.`,
  });
}

/**
 * Puts the conformance cases of each kernel before it; of references, only those that were named or that run here. A failing case stops nothing; its report says so. The device
 * being lost, or closed after a case that took too long, ends the run, with a report for each kernel that was begun.
 * @throws UsageError where no case is left
 */
export async function runVerify(
  device: Device,
  selected: readonly SelectedKernel[],
  options: RunVerifyOptions = {},
): Promise<VerifiedKernel[]> {
  const { onStep, onReport, onLeftOut, caseTimeoutMs } = options;
  const compile = await compilesHere(device, options.compile);
  const { usable, leftOut } = await usableOn(device, selected);
  if (leftOut.length > 0) onLeftOut?.(leftOut);
  const work = usable
    .map((one) => ({ one, ...askedOf(one, options) }))
    .filter(({ cases, error }) => cases.length > 0 || error !== undefined);
  if (work.length === 0) throw noCase(selected, options.case ?? '');
  const total = work.reduce((sum, { cases }) => sum + cases.length, 0);
  const verified: VerifiedKernel[] = [];
  let before = 0;
  for (const { one, cases, error } of work) {
    onStep?.({ done: before, total, label: one.gemm.id });
    const onCase = ({ name }: CaseResult, done: number) => {
      onStep?.({ done: before + done, total, label: `${one.gemm.id}: ${name}` });
    };
    const onLoad = (_: Gemm, done: number) => {
      onStep?.({ done: before + done, total, label: `${one.gemm.id}: compile` });
    };
    const limit = caseTimeoutMs === undefined ? {} : { caseTimeoutMs };
    const report =
      error === undefined
        ? await verifyGemm(device, one.gemm, { cases, load: loadOptions(compile), onCase, onLoad, ...limit })
        : unaskable(device, one.gemm, error.thrown);
    before += cases.length;
    verified.push({ selected: one, report });
    onReport?.({ selected: one, report });
    if (device.lost !== undefined || device.closed) break;
  }
  return verified;
}

/** True where something passed and nothing failed; a kernel may refuse a device that is too old for it. */
export function nothingFailed(verified: readonly VerifiedKernel[]): boolean {
  const outcomes = verified.map(({ report }) => report.outcome);
  return (
    outcomes.includes('passed') && outcomes.every((outcome) => outcome === 'passed' || outcome === 'refused')
  );
}
