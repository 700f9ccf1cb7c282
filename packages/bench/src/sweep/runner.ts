import {
  type Device,
  type Gemm,
  IntegrityError,
  type LoadedGemm,
  type PreparedGemm,
  type Stream,
} from '@ffma/core';
import type { DataSetName } from '@ffma/verify';
import type { Size } from '../bench/sizes.js';
import { checkOnce, type Verdict } from '../timing/check.js';
import { DeviceProblem } from '../timing/device-problem.js';
import type { Contestant } from '../timing/stopwatch.js';
import type { Compiled } from './records.js';

/** How a candidate is loaded: as the format that was compiled for it, so that all of them run alike. */
export function loadOptionsFor(compiled: Compiled | undefined) {
  const { arch } = compiled ?? {};
  if (arch === undefined) return { compile: true };
  return { compile: true, format: arch.startsWith('sm_') ? ('cubin' as const) : ('ptx' as const) };
}

/** A product of one size in device memory, as all candidates are timed with: alpha 1 and beta 0. */
export function uploadProblem(
  device: Device,
  stream: Stream,
  size: Size,
  set: DataSetName,
): Promise<DeviceProblem> {
  return DeviceProblem.upload(device, stream, size, set);
}

/** An operation of one size on a device, to be judged and timed. */
export class Runner implements Disposable {
  readonly gemm: Gemm;
  readonly loaded: LoadedGemm;
  #prepared: PreparedGemm | undefined;

  private constructor(gemm: Gemm, loaded: LoadedGemm) {
    this.gemm = gemm;
    this.loaded = loaded;
  }

  /**
   * @param compiled what the compiler made of it in this sweep, which is what must run; undefined for a library
   * @throws IntegrityError where the package has been built from another source
   */
  static async load(device: Device, gemm: Gemm, size: Size, compiled?: Compiled): Promise<Runner> {
    const filled = gemm.open === true ? (gemm.forShape?.(size) ?? gemm) : gemm;
    const loaded = await filled.load(device, loadOptionsFor(compiled));
    if (compiled?.sha256 !== undefined && compiled.sha256 !== loaded.artefact.sha256) {
      loaded.close();
      throw new IntegrityError(
        `What the package has built of ${filled.id} is not what its source compiles to.`,
        {
          remedy: 'Build the package again.',
        },
      );
    }
    return new Runner(filled, loaded);
  }

  prepare({ shape, operands }: DeviceProblem): void {
    this.#prepared?.close();
    this.#prepared = this.loaded.prepare(shape, operands);
  }

  /** @pre it is prepared */
  judge(stream: Stream, problem: DeviceProblem, when?: string): Promise<Verdict> {
    return checkOnce(stream, this.#prepared as PreparedGemm, problem, this.gemm, when);
  }

  /** @pre it is prepared */
  contestant({ poison }: DeviceProblem): Contestant {
    const prepared = this.#prepared as PreparedGemm;
    return { name: this.gemm.id, enqueue: (stream) => prepared.enqueue(stream), before: poison };
  }

  [Symbol.dispose](): void {
    this.#prepared?.close();
    this.loaded.close();
  }
}
