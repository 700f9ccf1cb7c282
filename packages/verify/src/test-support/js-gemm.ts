import {
  type Device,
  defineKernel,
  type Exactness,
  type Gemm,
  type GemmOperands,
  type GemmProblem,
  type GemmShape,
  type GemmSizes,
  gemmProblem,
  type LoadedGemm,
  type MatrixRef,
  matrixAlignment,
  type Needs,
  type Params,
  type PlanDevice,
  type PreparedGemm,
  reducedProblem,
  type Stream,
  UnsupportedError,
  type Variant,
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
  /** Has m, n and k compiled in. */
  readonly sized?: boolean;
  /** What it says its sums are split into. */
  readonly partialSums?: number;
}

/** A kernel written in JavaScript behind the contract, with a real declaration. */
export class JsGemm implements Gemm {
  readonly declared: Variant;
  readonly summary = 'A product in JavaScript.';
  readonly options: JsGemmOptions;
  readonly compute: (run: JsRun) => void;
  readonly #count: { open: number };

  constructor(
    compute: (run: JsRun) => void,
    options: JsGemmOptions = {},
    own?: { readonly declared: Variant; readonly count: { open: number } },
  ) {
    const { name = 'js', exactness = 'k-order', needs = {}, sized = false } = options;
    const params = { ...options.params, ...(sized ? { M: 0, N: 0, K: 0 } : {}) };
    this.compute = compute;
    this.options = options;
    this.#count = own?.count ?? { open: 0 };
    this.declared =
      own?.declared ??
      (defineKernel({
        name,
        slug: 'js',
        change: this.summary,
        source: new URL('file:///nowhere/kernel.cu'),
        params: params as Record<string, number>,
        derive: () => ({ threads: 1, sharedBytes: 0 }),
        needs: ({ M, N, K }) => ({
          ...needs,
          ...(sized && M !== 0 ? { exactly: { m: M as number, n: N as number, k: K as number } } : {}),
        }),
        ...(sized
          ? {
              specialise: {
                open: ({ M }: Params) => M === 0,
                fill: (_: Params, { m, n, k }: GemmSizes) => ({ M: m, N: n, K: k }),
              },
            }
          : {}),
        plan: () => ({ launches: [] }),
        exactness,
      }) as unknown as Variant);
  }

  get id(): string {
    return this.declared.id;
  }

  get kernel(): string {
    return this.declared.kernel;
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

  /** Loaded and prepared objects that were not closed yet. */
  get opened(): number {
    return this.#count.open;
  }

  get open(): boolean {
    return this.declared.open;
  }

  /** One with its sizes as parameters, that counts what is open together with this one. */
  forShape(sizes: GemmSizes): JsGemm {
    if (!this.open) return this;
    return new JsGemm(this.compute, this.options, {
      declared: this.declared.forShape(sizes),
      count: this.#count,
    });
  }

  async load(device: Device): Promise<LoadedGemm> {
    this.options.onLoad?.();
    this.#count.open++;
    const close = () => {
      this.#count.open--;
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
    this.#count.open++;
    const close = () => {
      this.#count.open--;
    };
    return {
      problem,
      plan: { launches: [] },
      ...(this.options.partialSums === undefined ? {} : { partialSums: this.options.partialSums }),
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
