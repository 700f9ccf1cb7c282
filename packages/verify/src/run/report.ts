import type { Exactness, FfmaErrorJson, GemmArtefact } from '@ffma/core';
import type { GateResult } from '../gates/gate.js';
import type { CaseJson, VerifyCase } from './case.js';
import { ffmaErrorJson, isFfmaError } from './ffma-error.js';

/** An error as JSON; `code` is there for errors of ffma alone. */
export type ErrorJson = FfmaErrorJson | { readonly name: string; readonly message: string };

export function errorJson(error: unknown): ErrorJson {
  if (isFfmaError(error)) return ffmaErrorJson(error);
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

/** What became of one case. */
export interface CaseResult {
  readonly name: string;
  readonly case: CaseJson;
  /**
   * `refused`: the kernel says that it does not take this problem, and neither the case nor its declaration says it
   * does. `aborted`: the caller ended the run before it was done.
   */
  readonly status: 'passed' | 'failed' | 'refused' | 'aborted';
  /** Empty where nothing ran to the end. */
  readonly gates: readonly GateResult[];
  /** The kernel's own sentence. */
  readonly refusal?: string;
  readonly error?: ErrorJson;
  /** Why it failed or was refused, or that it passed. */
  readonly sentence: string;
}

/** What became of a kernel on a device; JSON as it is. */
export interface VerifyReport {
  readonly gemm: {
    readonly id: string;
    readonly kernel: string;
    readonly summary: string;
    readonly exactness: Exactness;
  };
  readonly device: { readonly kind: string; readonly name: string; readonly arch: string };
  /** Absent where the kernel could not be loaded. */
  readonly artefact?: GemmArtefact;
  readonly cases: readonly CaseResult[];
  readonly counts: {
    readonly asked: number;
    readonly passed: number;
    readonly failed: number;
    readonly refused: number;
  };
  /**
   * `passed`: every case passed or was rightly refused, and at least one ran. `failed`: a case failed, the kernel could
   * not be asked or loaded, or the device was lost. `refused`: nothing ran. `incomplete`: stopped early, with no failure so far.
   */
  readonly outcome: 'passed' | 'failed' | 'refused' | 'incomplete';
  /** Why it stopped before the last case. */
  readonly ended?: {
    readonly by: 'declaration' | 'load' | 'device-lost' | 'timeout' | 'abort';
    readonly error?: ErrorJson;
  };
  readonly sentence: string;
}

/** A failing case as a person reads it: its name, then each broken gate, or the error, in a line. */
export function explainCase(result: CaseResult): string {
  const broken = result.gates.filter((g) => g.decides && !g.passed);
  const lines = broken.length > 0 ? broken.map((g) => `${g.gate}: ${g.sentence}`) : [result.sentence];
  return [result.name, ...lines].join('\n  ');
}

/** What a test has to say against a result, given what its case expects; undefined where it is right. */
export function complaint(testCase: Pick<VerifyCase, 'expect'>, result: CaseResult): string | undefined {
  const { expect: expected = 'either' } = testCase;
  const right = { run: ['passed'], refusal: ['refused'], either: ['passed', 'refused'] }[expected];
  return right.includes(result.status) ? undefined : explainCase(result);
}
