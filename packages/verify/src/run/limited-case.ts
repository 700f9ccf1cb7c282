import type { LoadedGemm } from '@ffma/core';
import { caseJson, caseName, type VerifyCase } from './case.js';
import type { CaseResult } from './report.js';
import { type CaseOptions, runCase } from './run-case.js';

export interface CaseLimits {
  /** Ends the run, within a case too; what was found so far is reported. */
  readonly signal?: AbortSignal;
  /** Milliseconds that a case may take, after which it fails, the device is closed and the run ends. Default: no limit. */
  readonly caseTimeoutMs?: number;
}

/** A case that came to its end, or was left to itself. */
export interface LimitedResult {
  readonly result: CaseResult;
  /** Present where it was not waited for. */
  readonly left?: { readonly by: 'timeout' | 'abort'; readonly settled: Promise<unknown> };
}

const endless = 'Its kernel may still be running: on a GPU until it or the process ends.';

/** Runs a case, but waits for it no longer than the limits say: a kernel cannot be stopped from outside. */
export async function runLimited(
  loaded: LoadedGemm,
  testCase: VerifyCase,
  { signal, caseTimeoutMs, ...options }: CaseOptions & CaseLimits,
): Promise<LimitedResult> {
  const running = runCase(loaded, testCase, options);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const limit = new Promise<'timeout' | 'abort'>((resolve) => {
    if (caseTimeoutMs !== undefined) timer = setTimeout(() => resolve('timeout'), caseTimeoutMs);
    onAbort = () => resolve('abort');
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    const first = await Promise.race([running, limit]);
    if (typeof first !== 'string') return { result: first };
    const settled = running.catch(() => {});
    return { result: leftAlone(testCase, first, caseTimeoutMs), left: { by: first, settled } };
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
}

function leftAlone(testCase: VerifyCase, by: 'timeout' | 'abort', limitMs: number | undefined): CaseResult {
  return {
    name: caseName(testCase),
    case: caseJson(testCase),
    status: by === 'timeout' ? 'failed' : 'aborted',
    gates: [],
    sentence:
      by === 'timeout'
        ? `It was not done after ${(limitMs ?? 0) / 1000} s, the time that a case may take. ${endless}`
        : `The run was ended before it was done. ${endless}`,
  };
}
