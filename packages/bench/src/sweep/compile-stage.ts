import { setTimeout } from 'node:timers/promises';
import type { Device, Gemm, Variant } from '@ffma/core';
import { type CompiledVariant, compileVariant, type VariantTarget } from '@ffma/core/compile';
import { concurrentMap } from '@ffma/core/kernelc';
import type { Size } from '../bench/sizes.js';
import { hasFfmaCode, sentenceOf } from '../error-sentence.js';
import { asVariant } from '../inspect/as-variant.js';
import { judgeResources } from './limits.js';
import type { Candidate } from './prune.js';
import type { Compiled } from './records.js';
import type { SweepLog } from './sweep-log.js';

/** Compiles one variant for a device; what the compile service does. */
export type CompileForSweep = (variant: Variant, target: VariantTarget) => Promise<CompiledVariant>;

/** A compiler to use in place of the compile service. */
export interface SweepCompiler {
  /** With its version: what it makes may change with it. */
  readonly name: string;
  readonly compile: CompileForSweep;
}

/** Something to compile: a candidate, with the sizes of a problem where they are compiled in. */
export interface Build {
  readonly candidate: Candidate;
  readonly gemm: Gemm;
  readonly size?: Size;
}

/** What has to be compiled for candidates to run at sizes: one build each, or one for each size that it takes. */
export function buildsOf(candidates: readonly Candidate[], sizes: readonly Size[]): Build[] {
  return candidates.flatMap((candidate): Build[] => {
    const { gemm } = candidate;
    if (gemm.open !== true) return [{ candidate, gemm }];
    return sizes
      .filter((size) => gemm.refusal(size) === undefined)
      .map((size) => ({ candidate, gemm: gemm.forShape?.(size) ?? gemm, size }));
  });
}

/** What the device runs best of what the compiler at hand makes: without ptxas there are no cubins. */
async function compileFor(
  device: Pick<Device, 'arch' | 'formats'>,
  variant: Variant,
  compile: CompileForSweep,
): Promise<CompiledVariant> {
  let unsupported: unknown;
  for (const format of device.formats) {
    const arch = format === 'cubin' ? device.arch : device.arch.replace('sm_', 'compute_');
    try {
      return await compile(variant, { arch, format });
    } catch (error) {
      if (!hasFfmaCode(error) || error.code !== 'FFMA_UNSUPPORTED') throw error;
      unsupported = error;
    }
  }
  throw unsupported;
}

async function compileOne(
  device: Device,
  { candidate: { id }, gemm, size }: Build,
  compile: CompileForSweep,
): Promise<Compiled> {
  const variant = asVariant(gemm) as Variant;
  const began = performance.now();
  const about = { type: 'compiled' as const, id, ...(size === undefined ? {} : { size }) };
  const ms = () => Math.round(performance.now() - began);
  try {
    const { object, resources, reproducible } = await compileFor(device, variant, compile);
    const digest = reproducible ? { sha256: object.sha256 } : {};
    const artefact = { ...digest, arch: object.arch ?? device.arch };
    return { ...about, ...judgeResources(variant, resources, device.limits), ...artefact, ms: ms() };
  } catch (error) {
    // Only what the compiler says of this variant is a fact about it.
    if (!hasFfmaCode(error) || error.code !== 'FFMA_COMPILE') throw error;
    return { ...about, outcome: 'refused', reason: sentenceOf(error), ms: ms() };
  }
}

export interface CompileStage {
  readonly jobs: number;
  readonly compile?: CompileForSweep | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when one is done. */
  readonly onBuild?: ((build: Build) => void) | undefined;
}

/** How long compilers are waited for after Ctrl-C, which ends them too where a terminal sent it. */
const GRACE_MS = 2_000;

/**
 * Compiles all that the log does not have yet, `jobs` at a time, and writes down what became of each.
 * @throws UnavailableError where there is no compiler
 */
export async function compileStage(
  device: Device,
  builds: readonly Build[],
  log: SweepLog,
  { jobs, compile = compileVariant, signal, onBuild }: CompileStage,
): Promise<void> {
  const waiting = builds.filter(({ candidate, size }) => log.compiled(candidate.id, size) === undefined);
  // A function, since it changes while compilers run.
  const hasEnded = () => signal?.aborted === true;
  let failed = false;
  const all = concurrentMap(waiting, jobs, async (build) => {
    if (hasEnded() || failed) return;
    try {
      const compiled = await compileOne(device, build, compile);
      // A compiler that Ctrl-C ended says that it failed; nothing is known of the variant.
      if (hasEnded() && compiled.outcome === 'refused') return;
      log.add(compiled);
      onBuild?.(build);
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  const results = await Promise.race([
    all,
    aborted(signal).then(() => Promise.race([all, setTimeout(GRACE_MS)])),
  ]);
  if (hasEnded()) return;
  const rejected = (results ?? []).find(({ status }) => status === 'rejected');
  if (rejected?.status === 'rejected') throw rejected.reason;
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
