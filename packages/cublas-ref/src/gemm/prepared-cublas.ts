import {
  ArgumentError,
  type BoundProblem,
  ClosedError,
  type GemmProblem,
  type Plan,
  type PreparedGemm,
  type Stream,
} from '@ffma/core';
import type { NativeCall } from '../addon/binding.js';
import { asFfmaError } from '../addon/native-error.js';
import type { StreamHandles } from './stream-handles.js';

/** What a prepared operation needs of the loaded library that it came from. */
export interface Owner {
  readonly closed: boolean;
  readonly handles: StreamHandles;
}

/** A product that cuBLAS will compute. Its launches are the library's own, so the plan lists none. */
export class PreparedCublas implements PreparedGemm {
  readonly problem: GemmProblem;
  readonly plan: Plan = { launches: [] };
  readonly #owner: Owner;
  readonly #operands: BoundProblem['operands'];
  readonly #call: NativeCall | undefined;
  #closed = false;

  /** @param call undefined where there is nothing to do */
  constructor(owner: Owner, bound: BoundProblem, call: NativeCall | undefined) {
    this.problem = bound.problem;
    this.#owner = owner;
    this.#operands = bound.operands;
    this.#call = call;
  }

  enqueue(stream: Stream): void {
    if (this.#closed) throw new ClosedError('prepared operation');
    const { closed, handles } = this.#owner;
    if (closed) throw new ClosedError('loaded library');
    const { device } = handles;
    if (device.closed) throw new ClosedError('CUDA device of a prepared operation');
    if (stream.device !== device)
      throw new ArgumentError('The stream belongs to another device than the operation.');
    if (stream.closed) throw new ClosedError('stream');
    const { a, b, c } = this.#operands;
    if (a.buffer.closed || b.buffer.closed || c.buffer.closed) throw new ClosedError('buffer of an operand');
    if (this.#call === undefined) return;
    const handle = handles.of(stream);
    try {
      handle.enqueue(this.#call);
    } catch (error) {
      throw asFfmaError(error, device);
    }
  }

  close(): void {
    this.#closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
