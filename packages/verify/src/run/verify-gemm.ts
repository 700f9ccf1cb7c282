import type { Device, Gemm, GemmLoadOptions, LoadedGemm } from '@ffma/core';
import { conformanceCases } from '../conformance/conformance-cases.js';
import { checkProblemData } from '../data/problem-data.js';
import type { VerifyCase } from './case.js';
import { type CaseLimits, runLimited } from './limited-case.js';
import { Loads } from './loads.js';
import { type CaseResult, errorJson, type VerifyReport } from './report.js';
import { type CaseOptions, isLost, refusedCase } from './run-case.js';

export interface VerifyOptions extends CaseOptions, CaseLimits {
  /** Default: the full conformance cases of the kernel. */
  readonly cases?: readonly VerifyCase[];
  readonly load?: GemmLoadOptions;
  /** Called before a kernel that has sizes compiled in is loaded for those of a case, which takes a while. */
  readonly onLoad?: (gemm: Gemm, done: number, total: number) => void;
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
  const { signal, onCase, onLoad, load } = options;
  let cases: readonly VerifyCase[];
  try {
    cases = options.cases ?? conformanceCases(gemm);
  } catch (error) {
    return unaskable(device, gemm, error);
  }
  for (const testCase of cases) checkProblemData(testCase.shape, testCase);
  using loads = new Loads(device, gemm, load);
  const results: CaseResult[] = [];
  let artefact: Run['artefact'];
  const done = (ended?: Run['ended']) => summarise(device, gemm, cases, { artefact, results, ended });
  const loadFor = async (picked: Gemm) => {
    const loaded = await loads.load(picked);
    artefact ??= loaded.artefact;
    return loaded;
  };
  try {
    if (gemm.open !== true) await loadFor(gemm);
    const announce = (picked: Gemm) => onLoad?.(picked, results.length, cases.length);
    if (gemm.open === true)
      loads.loadAhead(
        cases.map(({ shape }) => shape),
        announce,
      );
  } catch (error) {
    return done({ by: 'load', error: errorJson(error) });
  }
  const take = (result: CaseResult) => {
    results.push(result);
    onCase?.(result, results.length, cases.length);
  };
  for (const testCase of cases) {
    if (signal?.aborted === true) return done({ by: 'abort' });
    const picked = loads.pick(testCase.shape);
    if ('refusal' in picked) {
      take(refusedCase(gemm, testCase, picked.refusal));
      continue;
    }
    let loaded: LoadedGemm;
    try {
      loaded = await loadFor(picked.gemm);
    } catch (error) {
      return done({ by: 'load', error: errorJson(error) });
    }
    const { result, left } = await runLimited(loaded, testCase, options);
    take(result);
    if (left !== undefined) {
      loads.leaveOpenUntil(left.settled);
      if (left.by === 'timeout') device.close();
      return done({ by: left.by });
    }
    if (isLost(device, result)) {
      return done({ by: 'device-lost', error: result.error ?? errorJson(device.lost) });
    }
  }
  return done();
}

/** The report of a kernel whose declaration throws, so that no case can be made for it. */
export function unaskable(device: Device, gemm: Gemm, error: unknown): VerifyReport {
  return summarise(device, gemm, [], { results: [], ended: { by: 'declaration', error: errorJson(error) } });
}

interface Run {
  readonly artefact?: VerifyReport['artefact'] | undefined;
  readonly results: readonly CaseResult[];
  readonly ended?: VerifyReport['ended'] | undefined;
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
