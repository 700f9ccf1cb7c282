import {
  bindOperands,
  ClosedError,
  type Device,
  type Gemm,
  type GemmArtefact,
  type GemmOperands,
  type GemmShape,
  type LoadedGemm,
  type PreparedGemm,
  type PrepareOptions,
  UnsupportedError,
} from '@ffma/core';
import type { MathMode } from '../addon/binding.js';
import { nativeCall } from './native-call.js';
import { type Owner, PreparedCublas } from './prepared-cublas.js';
import type { StreamHandles } from './stream-handles.js';

/** cuBLAS on a device. */
export class LoadedCublas implements LoadedGemm, Owner {
  readonly gemm: Gemm;
  readonly artefact: GemmArtefact;
  readonly handles: StreamHandles;
  readonly #mode: MathMode;
  #closed = false;

  constructor(gemm: Gemm, handles: StreamHandles, artefact: GemmArtefact, mode: MathMode) {
    this.gemm = gemm;
    this.artefact = artefact;
    this.handles = handles;
    this.#mode = mode;
    handles.acquire();
  }

  get device(): Device {
    return this.handles.device;
  }

  get closed(): boolean {
    return this.#closed;
  }

  prepare(shape: GemmShape, operands: GemmOperands, { graph = false }: PrepareOptions = {}): PreparedGemm {
    if (graph) {
      throw new UnsupportedError(`${this.gemm.id} cannot be prepared as a graph.`, {
        remedy: 'Leave graph out: cuBLAS launches its kernels itself.',
      });
    }
    if (this.#closed) throw new ClosedError(`loaded ${this.gemm.id}`);
    if (this.device.closed) throw new ClosedError(`CUDA device of a loaded ${this.gemm.id}`);
    const bound = bindOperands(this.device, shape, operands);
    const refusal = this.gemm.refusal(bound.problem, this.device);
    if (refusal !== undefined) {
      throw new UnsupportedError(`${this.gemm.id} does not take this problem: ${refusal}`);
    }
    return new PreparedCublas(this, bound, nativeCall(this.handles.library, bound, this.#mode));
  }

  /** Where it is the last on its device, the handles and workspaces go, when the work in flight is over. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.handles.drop();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
