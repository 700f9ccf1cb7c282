import type { Claim, CounterFacts, Gemm, KernelDefinition, ModelledGpu } from '@ffma/core';
import { type ReportedNumber, reported } from '../float/bits.js';
import { type ErrorJson, errorJson } from '../run/report.js';

/** A kernel with a declaration: any variant of a defined kernel. */
export interface ClaimingGemm extends Gemm {
  readonly definition: Pick<KernelDefinition, 'claims' | 'basedOn'>;
}

/**
 * Runs a kernel at a size on an instrumented device and gives its counters.
 * @param gpu whose cache is to be modelled, where the claim reads such counters
 */
export type CountersOf = (gemm: Gemm, at: Claim['at'], gpu?: ModelledGpu) => Promise<CounterFacts>;

export interface ClaimOptions {
  readonly countersOf: CountersOf;
  /** The kernel that this one is based on, where it is at hand. */
  readonly base?: Gemm;
}

/** Counters that a claim looked at, by name. */
export type CounterReadings = Readonly<Record<string, ReportedNumber>>;

export interface ClaimResult {
  readonly kernel: string;
  /** The claim's own sentence. */
  readonly claim: string;
  readonly at: Claim['at'];
  readonly passed: boolean;
  readonly own: CounterReadings;
  readonly base?: CounterReadings;
  readonly error?: ErrorJson;
  readonly sentence: string;
}

/** Hands counters on and keeps what was read, so that a broken claim can show its figures. */
function recorded(facts: CounterFacts): { facts: CounterFacts; readings: Record<string, ReportedNumber> } {
  const readings: Record<string, ReportedNumber> = {};
  const value = (name: string) => {
    const found = facts.value(name);
    readings[name] = reported(found);
    return found;
  };
  return { facts: { value }, readings };
}

const listed = (readings: CounterReadings) =>
  Object.entries(readings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ') || 'no counter';

/** Evaluates one claim of a kernel. Counters that cannot be had, or read, break it. */
export async function checkClaim(
  gemm: ClaimingGemm,
  claim: Claim,
  options: ClaimOptions,
): Promise<ClaimResult> {
  const { base, countersOf } = options;
  const { sentence, at, gpu } = claim;
  const head = { kernel: gemm.id, claim: sentence, at };
  let own: ReturnType<typeof recorded> | undefined;
  let bases: ReturnType<typeof recorded> | undefined;
  const readings = () => ({
    own: own?.readings ?? {},
    ...(bases === undefined ? {} : { base: bases.readings }),
  });
  try {
    own = recorded(await countersOf(gemm, at, gpu));
    bases = base === undefined ? undefined : recorded(await countersOf(base, at, gpu));
    const passed = claim.holds(own.facts, bases?.facts) === true;
    const figures = `${gemm.id}: ${listed(own.readings)}${base === undefined || bases === undefined ? '' : `; ${base.id}: ${listed(bases.readings)}`}`;
    const where = `at ${at.m}×${at.n}×${at.k}`;
    return {
      ...head,
      passed,
      ...readings(),
      sentence: `${sentence} ${passed ? 'holds' : 'does not hold'} ${where} (${figures}).`,
    };
  } catch (error) {
    const json = errorJson(error);
    return {
      ...head,
      passed: false,
      ...readings(),
      error: json,
      sentence: `${sentence} could not be checked: ${json.message}`,
    };
  }
}

/** Evaluates every claim that a kernel declares, taking counters once a size. */
export async function checkClaims(gemm: ClaimingGemm, options: ClaimOptions): Promise<ClaimResult[]> {
  const once = { ...options, countersOf: onceEach(options.countersOf) };
  const results: ClaimResult[] = [];
  for (const claim of gemm.definition.claims ?? []) results.push(await checkClaim(gemm, claim, once));
  return results;
}

/** Asks for each kernel's counters at each size once, since an instrumented run is slow. */
export function onceEach(countersOf: CountersOf): CountersOf {
  const known = new Map<Gemm, Map<string, Promise<CounterFacts>>>();
  return (gemm, at, gpu) => {
    const sizes = known.get(gemm) ?? new Map<string, Promise<CounterFacts>>();
    known.set(gemm, sizes);
    const key = `${at.m}×${at.n}×${at.k}, ${gpu?.l2Bytes} bytes of L2, ${gpu?.smCount} multiprocessors`;
    const facts = sizes.get(key) ?? countersOf(gemm, at, gpu);
    sizes.set(key, facts);
    return facts;
  };
}
