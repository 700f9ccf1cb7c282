import type { Device, Gemm } from '@ffma/core';
import type { VerifyCase } from '@ffma/verify';
import type { SelectedKernel } from '../discover/select.js';
import type { OnStep } from '../step.js';
import type { SweepProtocol } from './protocol.js';
import type { SweepLog } from './sweep-log.js';

/** Thrown where the signal ended the work; everything that was found out is in the log. */
export class Interrupted extends Error {}

/** Counts pieces of work for a progress line. */
export class Work {
  readonly #onStep: OnStep | undefined;
  #done = 0;
  #total = 0;

  constructor(onStep: OnStep | undefined) {
    this.#onStep = onStep;
  }

  expect(pieces: number): void {
    this.#total += pieces;
  }

  begin(label: string): void {
    this.#onStep?.({ done: Math.min(this.#done, this.#total), total: this.#total, label });
  }

  end(pieces = 1): void {
    this.#done += pieces;
  }
}

/** Cases that a candidate has to pass: `quick` before anything else, `full` before a final. */
export type CasesOf = (gemm: Gemm, level: 'quick' | 'full') => readonly VerifyCase[];

/** What every stage of a sweep works with. */
export interface SweepContext<D extends Device = Device> {
  readonly device: D;
  /** The kernel that is swept. */
  readonly kernel: SelectedKernel['kernel'];
  readonly log: SweepLog;
  readonly protocol: SweepProtocol;
  readonly session: string;
  readonly cases: CasesOf;
  /** That a case may take, in ms; a kernel that does not end takes the device with it. */
  readonly caseTimeoutMs: number;
  readonly work: Work;
  readonly signal: AbortSignal | undefined;
}

/** @throws Interrupted */
export function checkSignal({ signal }: Pick<SweepContext, 'signal'>): void {
  if (signal?.aborted === true) throw new Interrupted();
}
