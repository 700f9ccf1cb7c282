import type { Device, FfmaError, Gemm, GemmLoadOptions, GemmShape, LoadedGemm } from '@ffma/core';
import { isFfmaError } from './ffma-error.js';

type Sizes = Pick<GemmShape, 'm' | 'n' | 'k'>;

/** A kernel on a device: loaded once or, where it has sizes compiled in, once for each that is asked for. */
export class Loads implements Disposable {
  readonly device: Device;
  readonly gemm: Gemm;
  readonly #options: GemmLoadOptions;
  readonly #loaded = new Map<string, LoadedGemm>();
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

  /** True where {@link load} has nothing to do. */
  has({ id }: Gemm): boolean {
    return this.#loaded.has(id);
  }

  /** Puts what {@link pick} gave on the device, unless it is there. @throws what its own `load` throws */
  async load(picked: Gemm): Promise<LoadedGemm> {
    const loaded = this.#loaded.get(picked.id) ?? (await picked.load(this.device, this.#options));
    this.#loaded.set(picked.id, loaded);
    return loaded;
  }

  /** Says that a case was left running: {@link close} then waits until it is done with its kernel. */
  leaveOpenUntil(settled: Promise<unknown>): void {
    this.#after = settled;
  }

  /** Closes all that was loaded. */
  close(): void {
    const all = [...this.#loaded.values()];
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
