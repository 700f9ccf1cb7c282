import type { Device, Gemm, LoadedGemm, MathMode, PreparedGemm, Stream } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import { loadOptions } from '../device/compile-here.js';
import type { SelectedKernel } from '../discover/select.js';
import { hasFfmaCode, sentenceOf } from '../error-sentence.js';
import { checkProducts, type Product, type Verdict, verdictName } from './check.js';
import type { ProblemBatch } from './problem-batch.js';
import type { PairedRatio } from './statistics.js';
import type { Contestant } from './stopwatch.js';

/** What is to be timed at a size. */
export interface Entry {
  readonly kernel: SelectedKernel;
  readonly asked: boolean;
}

/** How each product of a batch is enqueued. */
export type Launched = 'singly' | 'graph';

const isUnsupported = (error: unknown) => hasFfmaCode(error) && error.code === 'FFMA_UNSUPPORTED';

/** A kernel at one size, from being loaded to its figures. */
export class Entrant {
  readonly entry: Entry;
  readonly verdicts: Verdict[] = [];
  loaded: LoadedGemm | undefined;
  launched: Launched;
  /** Times of its launches in each round, in µs; empty until it was measured, or where its figures do not count. */
  us: readonly (readonly number[])[] = [];
  ratio: PairedRatio | undefined;
  /** Why it has no figures, or none beside the reference, though its results are right. */
  unranked: string | undefined;
  /** One a product of the batch. */
  #prepared: readonly PreparedGemm[] = [];

  constructor(entry: Entry, launched: Launched = 'singly') {
    this.entry = entry;
    this.launched = launched;
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
  #filled({ m, n, k }: Size): Gemm {
    const { gemm } = this.entry.kernel;
    return gemm.open === true ? (gemm.forShape?.({ m, n, k }) ?? gemm) : gemm;
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
  async check(stream: Stream, batch: ProblemBatch): Promise<void> {
    if (this.loaded === undefined || (this.verdicts.length > 0 && !this.passed)) return;
    this.#release();
    try {
      this.#prepare(this.loaded, batch);
      await this.#judge(stream, batch);
    } catch (error) {
      if (this.loaded.device.lost !== undefined) throw error;
      const status = isUnsupported(error) ? 'refused' : 'failed';
      // A kernel that goes wrong on a GPU takes the device down; what else is thrown is no result of it.
      const name = verdictName(batch);
      this.verdicts.push({ name, status, gates: [], sentence: sentenceOf(error), ran: false });
    }
  }

  #prepare(loaded: LoadedGemm, { problems }: ProblemBatch): void {
    const prepareAll = (graph: boolean) => {
      const ready: PreparedGemm[] = [];
      // What is ready is released with it, also where a later one is refused.
      this.#prepared = ready;
      for (const { shape, operands } of problems) ready.push(loaded.prepare(shape, operands, { graph }));
    };
    if (this.launched === 'graph') {
      try {
        prepareAll(true);
        return;
      } catch (error) {
        // A library launches its kernels itself, and cannot leave that to a graph of ours; the result says so.
        if (loaded.artefact.ranAs !== 'library' || !isUnsupported(error)) throw error;
        this.#release();
        this.launched = 'singly';
      }
    }
    prepareAll(false);
  }

  /** Judges it again, by one more launch of the operation that was timed. */
  async checkAgain(stream: Stream, batch: ProblemBatch): Promise<void> {
    await this.#judge(stream, batch, ', after the timing');
  }

  async #judge(stream: Stream, batch: ProblemBatch, when?: string): Promise<void> {
    const products = batch.problems.map((problem, i): Product => {
      return { problem, prepared: this.#prepared[i] as PreparedGemm };
    });
    this.verdicts.push(await checkProducts(stream, products, this.entry.kernel.gemm, when));
  }

  /** @pre it passed {@link check} */
  contestant({ problems, poison }: ProblemBatch): Contestant {
    const prepared = this.#prepared;
    const launches = (one: PreparedGemm) => (this.launched === 'graph' ? 1 : one.plan.launches.length || 1);
    return {
      name: this.id,
      enqueue: (stream) => {
        for (const one of prepared) one.enqueue(stream);
      },
      before: poison,
      places: prepared.reduce((sum, one, i) => sum + (problems[i]?.poisonPlaces ?? 1) + launches(one), 0),
    };
  }

  #release(): void {
    for (const one of this.#prepared) one.close();
    this.#prepared = [];
  }

  close(): void {
    this.#release();
    this.loaded?.close();
  }
}
