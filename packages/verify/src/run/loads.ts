import { availableParallelism } from 'node:os';
import type { Device, FfmaError, Gemm, GemmLoadOptions, GemmShape, LoadedGemm } from '@ffma/core';
import { isFfmaError } from './ffma-error.js';

type Sizes = Pick<GemmShape, 'm' | 'n' | 'k'>;

/** A kernel on a device: loaded once or, where it has sizes compiled in, once for each that is asked for. */
export class Loads implements Disposable {
  readonly device: Device;
  readonly gemm: Gemm;
  readonly #options: GemmLoadOptions;
  readonly #loading = new Map<string, Promise<LoadedGemm>>();
  readonly #loaded = new Set<LoadedGemm>();
  #closed = false;
  #after: Promise<unknown> | undefined;

  constructor(device: Device, gemm: Gemm, options: GemmLoadOptions = {}) {
    this.device = device;
    this.gemm = gemm;
    this.#options = options;
  }

  /** What is to be loaded for a problem of these sizes, or the refusal where it cannot be filled in for them. */
  pick({ m, n, k }: Sizes): { readonly gemm: Gemm } | { readonly refusal: FfmaError } {
    const { gemm } = this;
    if (gemm.open !== true || gemm.forShape === undefined) return { gemm };
    try {
      return { gemm: gemm.forShape({ m, n, k }) };
    } catch (error) {
      if (!isFfmaError(error) || error.code !== 'FFMA_UNSUPPORTED') throw error;
      return { refusal: error };
    }
  }

  /** Puts what {@link pick} gave on the device, unless it is there. @throws what its own `load` throws */
  load(picked: Gemm): Promise<LoadedGemm> {
    const loading = this.#loading.get(picked.id) ?? this.#start(picked);
    this.#loading.set(picked.id, loading);
    return loading;
  }

  async #start(picked: Gemm): Promise<LoadedGemm> {
    const loaded = await picked.load(this.device, this.#options);
    if (this.#closed) loaded.close();
    else this.#loaded.add(loaded);
    return loaded;
  }

  /**
   * Begins to load what problems of these sizes need, several at a time: where each is compiled, that is what takes
   * long. What goes wrong is told by {@link load}.
   * @param onLoad called before each
   */
  loadAhead(
    sizes: readonly Sizes[],
    onLoad: (picked: Gemm) => void = () => {},
    atATime = availableParallelism(),
  ): void {
    const picked = sizes.map((size) => this.pick(size)).flatMap((one) => ('gemm' in one ? [one.gemm] : []));
    const waiting = [...new Map(picked.map((gemm) => [gemm.id, gemm])).values()];
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined && !this.#closed; next = waiting.shift()) {
        onLoad(next);
        await this.load(next).catch(() => undefined);
      }
    };
    for (let i = 0; i < Math.min(atATime, waiting.length); i++) void lane();
  }

  /** Says that a case was left running: {@link close} then waits until it is done with its kernel. */
  leaveOpenUntil(settled: Promise<unknown>): void {
    this.#after = settled;
  }

  /** Closes all that was loaded. */
  close(): void {
    this.#closed = true;
    const all = [...this.#loaded];
    this.#loaded.clear();
    const closeAll = () => {
      for (const loaded of all) loaded.close();
    };
    if (this.#after === undefined) closeAll();
    else void this.#after.then(closeAll).catch(() => {});
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
