import type { Gemm, KernelFaultPlace } from '@ffma/core';
import { conformanceCases, type VerifyCase, type VerifyReport } from '@ffma/verify';

/** Multiplications of a case that is worth its time here. */
const MOST_WORK = 150_000;

/** The kernel's full conformance, without its longest cases; the one that shows TF32 stays. */
export function cases(gemm: Gemm): VerifyCase[] {
  return conformanceCases(gemm).filter(
    ({ data, shape: { m, n, k } }) => data === 'canary' || m * n * k <= MOST_WORK,
  );
}

/** A fault as a case's result holds it. */
export interface Fault {
  readonly case: string;
  readonly kind: string;
  readonly message: string;
  readonly place: KernelFaultPlace;
}

/** What a report says against a kernel, over all cases. */
export interface Verdict {
  /** Names of the failing cases. */
  readonly failed: readonly string[];
  /** Gates that fail in some case, sorted. */
  readonly gates: readonly string[];
  readonly faults: readonly Fault[];
  /** Errors that are no faults of the kernel on the device: none is expected. */
  readonly errors: readonly string[];
}

export function verdict(report: VerifyReport): Verdict {
  const gates = new Set<string>();
  const faults: Fault[] = [];
  const errors: string[] = [];
  for (const { name, gates: results, error, status, sentence } of report.cases) {
    const broken = results.filter(({ decides, passed }) => decides && !passed);
    for (const { gate } of broken) gates.add(gate);
    if (error !== undefined && 'code' in error && error.code === 'FFMA_KERNEL_FAULT') {
      const { kind, place } = error.details as { kind: string; place: KernelFaultPlace };
      faults.push({ case: name, kind, message: error.message, place });
    } else if (error !== undefined || (status === 'failed' && broken.length === 0)) {
      errors.push(`${name}: ${sentence}`);
    }
  }
  const failed = report.cases.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return { failed, gates: [...gates].sort(), faults, errors };
}
