import type { Device, Gemm, GemmLoadOptions, LoadedGemm } from '@ffma/core';
import { conformanceCases } from '../conformance/conformance-cases.js';
import { checkProblemData } from '../data/problem-data.js';
import type { VerifyCase } from './case.js';
import { type CaseResult, errorJson, type VerifyReport } from './report.js';
import { type CaseOptions, isLost, runCase } from './run-case.js';

export interface VerifyOptions extends CaseOptions {
  /** Default: the full conformance cases of the kernel. */
  readonly cases?: readonly VerifyCase[];
  readonly load?: GemmLoadOptions;
  /** Called after each case: how many of how many are done. */
  readonly onCase?: (result: CaseResult, done: number, total: number) => void;
  /** Ends the run before the next case; what was found so far is reported. */
  readonly signal?: AbortSignal;
}

/**
 * Verifies one kernel on one device, case by case. A failing case does not stop the run; a lost device does.
 *
 * @throws ArgumentError where a case is wrong in itself, before anything runs
 */
export async function verifyGemm(
  device: Device,
  gemm: Gemm,
  options: VerifyOptions = {},
): Promise<VerifyReport> {
  const { cases = conformanceCases(gemm), signal, onCase, load } = options;
  for (const testCase of cases) checkProblemData(testCase.shape, testCase);
  let loaded: LoadedGemm;
  try {
    loaded = await gemm.load(device, load);
  } catch (error) {
    return summarise(device, gemm, cases, { results: [], ended: { by: 'load', error: errorJson(error) } });
  }
  using _ = loaded;
  const { artefact } = loaded;
  const results: CaseResult[] = [];
  for (const testCase of cases) {
    if (signal?.aborted === true) {
      return summarise(device, gemm, cases, { artefact, results, ended: { by: 'abort' } });
    }
    const result = await runCase(loaded, testCase, options);
    results.push(result);
    onCase?.(result, results.length, cases.length);
    if (isLost(device, result)) {
      const error = result.error ?? errorJson(device.lost);
      return summarise(device, gemm, cases, { artefact, results, ended: { by: 'device-lost', error } });
    }
  }
  return summarise(device, gemm, cases, { artefact, results });
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
  const figures = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  const end =
    ended === undefined
      ? ''
      : ended.by === 'abort'
        ? '; stopped on request'
        : `; the device was lost: ${ended.error?.message}`;
  return `${id} ${outcome}: of ${asked} cases ${figures.join(', ')}${end}.`;
}
