import type { Device, Gemm, GemmLoadOptions, LoadedGemm } from '@ffma/core';
import { conformanceCases } from '../conformance/conformance-cases.js';
import { checkProblemData } from '../data/problem-data.js';
import type { VerifyCase } from './case.js';
import { type CaseLimits, runLimited } from './limited-case.js';
import { type CaseResult, errorJson, type VerifyReport } from './report.js';
import { type CaseOptions, isLost } from './run-case.js';

export interface VerifyOptions extends CaseOptions, CaseLimits {
  /** Default: the full conformance cases of the kernel. */
  readonly cases?: readonly VerifyCase[];
  readonly load?: GemmLoadOptions;
  /** Called after each case: how many of how many are done. */
  readonly onCase?: (result: CaseResult, done: number, total: number) => void;
}

/**
 * Verifies one kernel on one device, case by case. A failing case does not stop the run; a lost device does, and so does a case
 * that runs past `caseTimeoutMs`, after which the device is closed.
 *
 * @throws ArgumentError where a case is wrong in itself, before anything runs
 */
export async function verifyGemm(
  device: Device,
  gemm: Gemm,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const { signal, onCase, load } = options;
  let cases: readonly VerifyCase[];
  try {
    cases = options.cases ?? conformanceCases(gemm);
  } catch (error) {
    return unaskable(device, gemm, error);
  }
  for (const testCase of cases) checkProblemData(testCase.shape, testCase);
  let loaded: LoadedGemm;
  try {
    loaded = await gemm.load(device, load);
  } catch (error) {
    return summarise(device, gemm, cases, { results: [], ended: { by: 'load', error: errorJson(error) } });
  }
  using scope = new LoadedScope(loaded);
  const { artefact } = loaded;
  const results: CaseResult[] = [];
  for (const testCase of cases) {
    if (signal?.aborted === true) {
      return summarise(device, gemm, cases, { artefact, results, ended: { by: 'abort' } });
    }
    const { result, left } = await runLimited(loaded, testCase, options);
    results.push(result);
    onCase?.(result, results.length, cases.length);
    if (left !== undefined) {
      scope.until(left.settled);
      if (left.by === 'timeout') device.close();
      return summarise(device, gemm, cases, { artefact, results, ended: { by: left.by } });
    }
    if (isLost(device, result)) {
      const error = result.error ?? errorJson(device.lost);
      return summarise(device, gemm, cases, { artefact, results, ended: { by: 'device-lost', error } });
    }
  }
  return summarise(device, gemm, cases, { artefact, results });
}

/** Closes what was loaded at the end of a block; where a case was left running, when that is done with it. */
class LoadedScope implements Disposable {
  readonly #loaded: LoadedGemm;
  #after: Promise<unknown> | undefined;

  constructor(loaded: LoadedGemm) {
    this.#loaded = loaded;
  }

  until(settled: Promise<unknown>): void {
    this.#after = settled;
  }

  [Symbol.dispose](): void {
    if (this.#after === undefined) this.#loaded.close();
    else void this.#after.then(() => this.#loaded.close()).catch(() => {});
  }
}

/** The report of a kernel whose declaration throws, so that no case can be made for it. */
export function unaskable(device: Device, gemm: Gemm, error: unknown): VerifyReport {
  return summarise(device, gemm, [], { results: [], ended: { by: 'declaration', error: errorJson(error) } });
}

interface Run {
  readonly artefact?: VerifyReport['artefact'] | undefined;
  readonly results: readonly CaseResult[];
  readonly ended?: VerifyReport['ended'];
}

function summarise(device: Device, gemm: Gemm, cases: readonly VerifyCase[], run: Run): VerifyReport {
  const { artefact, results, ended } = run;
  const count = (status: CaseResult['status']) => results.filter((r) => r.status === status).length;
  const counts = {
    asked: cases.length,
    passed: count('passed'),
    failed: count('failed'),
    refused: count('refused'),
  };
  const outcome = outcomeOf(counts, ended);
  const { id, kernel, summary, exactness } = gemm;
  return {
    gemm: { id, kernel, summary, exactness },
    device: { kind: device.kind, name: device.name, arch: device.arch },
    ...(artefact === undefined ? {} : { artefact }),
    cases: results,
    counts,
    outcome,
    ...(ended === undefined ? {} : { ended }),
    sentence: sentenceOf(id, outcome, counts, ended),
  };
}

function outcomeOf(counts: VerifyReport['counts'], ended: VerifyReport['ended']): VerifyReport['outcome'] {
  if (counts.failed > 0 || (ended !== undefined && ended.by !== 'abort')) return 'failed';
  if (ended !== undefined) return 'incomplete';
  return counts.passed > 0 ? 'passed' : 'refused';
}

function sentenceOf(
  id: string,
  outcome: VerifyReport['outcome'],
  { asked, passed, failed, refused }: VerifyReport['counts'],
  ended: VerifyReport['ended'],
): string {
  if (ended?.by === 'load') return `${id} could not be loaded: ${ended.error?.message}`;
  if (ended?.by === 'declaration') return `${id} could not be asked what it needs: ${ended.error?.message}`;
  const figures = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  const ends = {
    abort: '; stopped on request',
    timeout: '; a case took too long, so the device was closed',
    'device-lost': `; the device was lost: ${ended?.error?.message}`,
  };
  const end = ended === undefined ? '' : ends[ended.by];
  return `${id} ${outcome}: of ${asked} cases ${figures.join(', ')}${end}.`;
}
