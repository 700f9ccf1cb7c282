import type { Gemm, PreparedGemm, Stream } from '@ffma/core';
import { caseName, type GateResult } from '@ffma/verify';
import type { RowCorrectness } from '../result/schema.js';
import type { DeviceProblem } from './device-problem.js';

/** One judgement of a contestant. */
export interface Verdict {
  /** What was put before it: `1024×1024×1024 uniform`. */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'refused';
  readonly gates: readonly string[];
  /** Why it did not pass. */
  readonly sentence?: string;
  /** False where it failed before there was a result to judge. */
  readonly ran?: false;
}

/** Names a problem as verification does, and when it was put. */
export function verdictName({ shape, set }: Pick<DeviceProblem, 'shape' | 'set'>, when = ''): string {
  return `${caseName({ shape, data: set })}${when}`;
}

function verdict(name: string, gates: readonly GateResult[]): Verdict {
  const deciding = gates.filter(({ decides }) => decides);
  const names = deciding.map(({ gate }) => gate);
  const broken = deciding.find(({ passed }) => !passed);
  if (broken === undefined) return { name, status: 'passed', gates: names };
  return { name, status: 'failed', gates: names, sentence: `${broken.gate}: ${broken.sentence}` };
}

/** A problem, and what was prepared for it. */
export interface Product {
  readonly problem: DeviceProblem;
  readonly prepared: PreparedGemm;
}

type Exact = Pick<Gemm, 'exactness' | 'atomicSums'>;

/**
 * Runs prepared products once, one after another, and judges all that each left in memory.
 * @param products one at least, of one shape
 * @returns the first verdict that is not right, else one for all of them
 */
export async function checkProducts(
  stream: Stream,
  products: readonly Product[],
  { exactness, atomicSums = false }: Exact,
  when = '',
): Promise<Verdict> {
  for (const { problem, prepared } of products) {
    problem.poison(stream);
    prepared.enqueue(stream);
  }
  await stream.synchronize();
  let passed: Verdict | undefined;
  for (const [i, { problem, prepared }] of products.entries()) {
    const outcome = await problem.download(stream);
    const { partialSums = 1 } = prepared;
    const gates = problem.judge.judge(outcome, { exactness, atomicSums, partialSums });
    const which = products.length === 1 ? '' : `, product ${i + 1} of ${products.length}`;
    const found = verdict(verdictName(problem, which + when), gates);
    if (found.status !== 'passed') return found;
    passed = { ...found, name: verdictName(problem, when) };
  }
  return passed as Verdict;
}

/** Runs a prepared product once over a C that it has to write, and judges all that it left in memory. */
export function checkOnce(
  stream: Stream,
  prepared: PreparedGemm,
  problem: DeviceProblem,
  gemm: Exact,
  when?: string,
): Promise<Verdict> {
  return checkProducts(stream, [{ problem, prepared }], gemm, when);
}

/** Verdicts as a result row keeps them. A row is refused where it failed nothing and ran nothing. */
export function correctnessFrom(verdicts: readonly Verdict[]): RowCorrectness {
  const count = (status: Verdict['status']) => verdicts.filter((one) => one.status === status).length;
  const ran = verdicts.some((verdict) => verdict.ran !== false);
  const cases = { passed: count('passed'), failed: count('failed'), refused: count('refused') };
  return {
    status: cases.failed > 0 ? 'failed' : cases.passed > 0 ? 'passed' : 'refused',
    cases,
    gates: [...new Set(verdicts.flatMap(({ gates }) => gates))],
    failures: verdicts.flatMap(({ name, sentence }) =>
      sentence === undefined ? [] : [`${name}: ${sentence}`],
    ),
    ...(cases.failed === 0 || ran ? {} : { ran }),
  };
}
