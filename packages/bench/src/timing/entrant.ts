import type { Device, Gemm, LoadedGemm, MathMode, PreparedGemm, Stream } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import { loadOptions } from '../device/compile-here.js';
import type { SelectedKernel } from '../discover/select.js';
import { hasFfmaCode, sentenceOf } from '../error-sentence.js';
import { checkOnce, type Verdict, verdictName } from './check.js';
import type { DeviceProblem } from './device-problem.js';
import type { PairedRatio } from './statistics.js';
import type { Contestant } from './stopwatch.js';

/** What is to be timed at a size. */
export interface Entry {
  readonly kernel: SelectedKernel;
  readonly asked: boolean;
}

const isUnsupported = (error: unknown) => hasFfmaCode(error) && error.code === 'FFMA_UNSUPPORTED';

/** A kernel at one size, from being loaded to its figures. */
export class Entrant {
  readonly entry: Entry;
  readonly verdicts: Verdict[] = [];
  loaded: LoadedGemm | undefined;
  /** Times of its launches in each round, in µs; empty until it was measured, or where its figures do not count. */
  us: readonly (readonly number[])[] = [];
  ratio: PairedRatio | undefined;
  /** Why it has no figures, or none beside the reference, though its results are right. */
  unranked: string | undefined;
  #prepared: PreparedGemm | undefined;

  constructor(entry: Entry) {
    this.entry = entry;
  }

  get id(): string {
    return this.entry.kernel.gemm.id;
  }

  /** True where every size is compiled in. */
  get open(): boolean {
    return this.entry.kernel.gemm.open === true;
  }

  get mathMode(): MathMode {
    return this.loaded?.artefact.mathMode ?? 'fp32';
  }

  /** True while nothing was wrong with what it did. */
  get passed(): boolean {
    return this.verdicts.length > 0 && this.verdicts.every(({ status }) => status === 'passed');
  }

  /** What is loaded for a size, which is filled in where it is to be compiled in. @throws UnsupportedError */
  #filled(size: Size): Gemm {
    const { gemm } = this.entry.kernel;
    return gemm.open === true ? (gemm.forShape?.(size) ?? gemm) : gemm;
  }

  /** Puts it on the device, for problems of one size; a verdict says so where that fails. */
  async load(device: Device, size: Size, name: string, compile: boolean): Promise<void> {
    let status: Verdict['status'] = 'refused';
    try {
      const filled = this.#filled(size);
      status = 'failed';
      this.loaded = await filled.load(device, loadOptions(compile));
    } catch (error) {
      if (device.lost !== undefined) throw error;
      if (!isUnsupported(error)) status = 'failed';
      this.verdicts.push({ name, status, gates: [], sentence: sentenceOf(error), ran: false });
    }
  }

  /** Binds it to a problem and judges what it computes. What goes wrong is a verdict; a lost device is thrown. */
  async check(stream: Stream, problem: DeviceProblem): Promise<void> {
    if (this.loaded === undefined || (this.verdicts.length > 0 && !this.passed)) return;
    this.#prepared?.close();
    this.#prepared = undefined;
    try {
      this.#prepared = this.loaded.prepare(problem.shape, problem.operands);
      await this.#judge(stream, problem);
    } catch (error) {
      if (this.loaded.device.lost !== undefined) throw error;
      const status = isUnsupported(error) ? 'refused' : 'failed';
      // A kernel that goes wrong on a GPU takes the device down; what else is thrown is no result of it.
      const name = verdictName(problem);
      this.verdicts.push({ name, status, gates: [], sentence: sentenceOf(error), ran: false });
    }
  }

  /** Judges it again, by one more launch of the operation that was timed. */
  async checkAgain(stream: Stream, problem: DeviceProblem): Promise<void> {
    await this.#judge(stream, problem, ', after the timing');
  }

  async #judge(stream: Stream, problem: DeviceProblem, when?: string): Promise<void> {
    const prepared = this.#prepared as PreparedGemm;
    this.verdicts.push(await checkOnce(stream, prepared, problem, this.entry.kernel.gemm, when));
  }

  /** @pre it passed {@link check} */
  contestant(problem: DeviceProblem): Contestant {
    const prepared = this.#prepared as PreparedGemm;
    return { name: this.id, enqueue: (stream) => prepared.enqueue(stream), before: problem.poison };
  }

  close(): void {
    this.#prepared?.close();
    this.loaded?.close();
  }
}
