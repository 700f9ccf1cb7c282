import {
  type DefinedKernel,
  type Device,
  defineKernel,
  type Exactness,
  type Gemm,
  type GemmOperands,
  type GemmProblem,
  type GemmShape,
  gemmProblem,
  type LoadedGemm,
  type MatrixRef,
  matrixAlignment,
  type Needs,
  type PlanDevice,
  type PreparedGemm,
  reducedProblem,
  type Stream,
  UnsupportedError,
} from '@ffma/core';
import type { FakeBuffer, FakeDevice, FakeStream } from './fake-device.js';

/** One operand in a fake buffer: the whole buffer as float32, and where the matrix starts in it. */
export interface JsOperand {
  readonly memory: Float32Array;
  readonly start: number;
}

export interface JsRun {
  readonly problem: GemmProblem;
  readonly a: JsOperand;
  readonly b: JsOperand;
  readonly c: JsOperand;
  readonly device: FakeDevice;
}

export interface JsGemmOptions {
  readonly name?: string;
  readonly exactness?: Exactness;
  readonly needs?: Needs;
  readonly params?: Readonly<Record<string, number>>;
  /** In place of what the declaration says. */
  readonly refusal?: (problem: GemmProblem) => string | undefined;
  /** Called by `prepare` before its own checks. */
  readonly onPrepare?: (problem: GemmProblem) => void;
  readonly onLoad?: () => void;
  /** Given the problem as the caller stated it, not reduced. */
  readonly raw?: boolean;
}

/** A kernel written in JavaScript behind the contract, with a real declaration. */
export class JsGemm implements Gemm {
  readonly declared: DefinedKernel;
  readonly summary = 'A product in JavaScript.';
  readonly options: JsGemmOptions;
  readonly compute: (run: JsRun) => void;
  /** Loaded and prepared objects that were not closed yet. */
  open = 0;

  constructor(compute: (run: JsRun) => void, options: JsGemmOptions = {}) {
    const { name = 'js', exactness = 'k-order', needs = {}, params = {} } = options;
    this.compute = compute;
    this.options = options;
    this.declared = defineKernel({
      name,
      slug: 'js',
      change: this.summary,
      source: new URL('file:///nowhere/kernel.cu'),
      params,
      derive: () => ({ threads: 1, sharedBytes: 0 }),
      needs: () => needs,
      plan: () => ({ launches: [] }),
      exactness,
    }) as unknown as DefinedKernel;
  }

  get id(): string {
    return this.declared.id;
  }

  get kernel(): string {
    return this.declared.name;
  }

  get exactness(): Exactness {
    return this.declared.exactness;
  }

  get needs(): Needs {
    return this.declared.needs;
  }

  get params() {
    return this.declared.params;
  }

  refusal(problem: GemmProblem, device?: PlanDevice): string | undefined {
    return this.options.refusal === undefined
      ? this.declared.refusal(problem, device)
      : this.options.refusal(problem);
  }

  async load(device: Device): Promise<LoadedGemm> {
    this.options.onLoad?.();
    this.open++;
    const close = () => {
      this.open--;
    };
    return {
      gemm: this,
      device,
      artefact: { ranAs: 'emulated', sha256: '00', arch: device.arch, compiler: 'none' },
      prepare: (shape, operands) => this.#prepare(device as FakeDevice, shape, operands),
      close,
      [Symbol.dispose]: close,
    };
  }

  #prepare(device: FakeDevice, shape: GemmShape, operands: GemmOperands): PreparedGemm {
    const bare = gemmProblem(shape);
    const refs = { a: refOf(operands.a), b: refOf(operands.b), c: refOf(operands.c) };
    const at = ({ buffer, byteOffset = 0 }: MatrixRef, rows: number, ld: number) =>
      matrixAlignment(buffer.address + BigInt(byteOffset), rows, ld);
    const alignment = {
      a: at(refs.a, bare.m, bare.lda),
      b: at(refs.b, bare.k, bare.ldb),
      c: at(refs.c, bare.m, bare.ldc),
    };
    const problem = { ...bare, alignment };
    this.options.onPrepare?.(problem);
    const refusal = this.declared.refusal(problem, device);
    if (refusal !== undefined)
      throw new UnsupportedError(`${this.id} does not take this problem: ${refusal}`);
    this.open++;
    const close = () => {
      this.open--;
    };
    return {
      problem,
      plan: { launches: [] },
      enqueue: (stream: Stream) => {
        if (problem.m === 0 || problem.n === 0) return;
        const run = {
          problem: this.options.raw === true ? problem : reducedProblem(problem),
          a: operandOf(refs.a),
          b: operandOf(refs.b),
          c: operandOf(refs.c),
          device,
        };
        (stream as FakeStream).push(() => this.compute(run)).catch(() => {});
      },
      close,
      [Symbol.dispose]: close,
    };
  }
}

function refOf(ref: GemmOperands['a']): MatrixRef {
  return 'buffer' in ref ? ref : { buffer: ref };
}

function operandOf({ buffer, byteOffset = 0 }: MatrixRef): JsOperand {
  return { memory: new Float32Array((buffer as FakeBuffer).memory.buffer), start: byteOffset / 4 };
}
