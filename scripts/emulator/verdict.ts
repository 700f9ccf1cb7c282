import { readFile } from 'node:fs/promises';
import type { DefinedKernel, KernelFaultPlace } from '@ffma/core';
import { findToolchains } from '@ffma/core/compile';
import type { VerifyReport } from '@ffma/verify';

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

/** Kinds of faults, each once, sorted. */
export const kindsOf = (faults: readonly Fault[]): string[] =>
  [...new Set(faults.map(({ kind }) => kind))].sort();

/** The line of a mutant's sources that a fault names; undefined where it names none. */
async function blamed(kernel: DefinedKernel, { place }: Fault): Promise<string | undefined> {
  if (place.source === undefined) return undefined;
  // A mutant's sources lie in a folder of the package, its kernel perhaps in one of that.
  const parts = place.source.file.split('/');
  const folder = kernel.definition.source.pathname.split('/').includes('kernel') ? 2 : 1;
  const text = await readFile(new URL(parts.slice(folder).join('/'), kernel.definition.source), 'utf8');
  return text.split('\n')[place.source.line - 1]?.trim() ?? 'beyond the end';
}

/**
 * Lines that faults blame and that have no such text: none is expected. A fault in a device header names the line that
 * calls it, except where clang compiled: clang 19 does not write which line that is.
 */
export async function misblamed(
  kernel: DefinedKernel,
  faults: readonly Fault[],
  line: string | undefined,
): Promise<string[]> {
  const compiler = (await findToolchains()).find(({ available }) => available)?.name;
  const named = faults.filter(
    ({ place }) => compiler === 'nvcc' || place.source?.file.startsWith('ffma/') === false,
  );
  const lines = await Promise.all(named.map((fault) => blamed(kernel, fault)));
  return lines.filter((each) => each !== undefined && !each.includes(line ?? 'no line')) as string[];
}
