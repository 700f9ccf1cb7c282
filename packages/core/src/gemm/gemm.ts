import type { Buffer } from '../device/buffer.js';
import type { Device } from '../device/device.js';
import type { LaunchBatchOptions } from '../device/launch.js';
import type { Stream } from '../device/stream.js';
import type { Exactness, PlanDevice } from './kernel-definition.js';
import type { Plan } from './plan.js';
import type { GemmProblem, GemmShape } from './problem.js';

/** Device memory of one matrix: row-major float32, `byteOffset` bytes into the buffer. */
export interface MatrixRef {
  readonly buffer: Buffer;
  /** Default 0; a multiple of 4. */
  readonly byteOffset?: number;
}

export interface GemmOperands {
  readonly a: MatrixRef | Buffer;
  readonly b: MatrixRef | Buffer;
  readonly c: MatrixRef | Buffer;
}

/** Anything that multiplies: a kernel variant, or a library behind the same contract. */
export interface Gemm {
  /** Names it everywhere: `k11_bm128_bn64_bk16_tm8_tn8_s3`. */
  readonly id: string;
  /** Name of the kernel it is a variant of: `k11`; the id for a library. */
  readonly kernel: string;
  /** What a person reads: one sentence. */
  readonly summary: string;
  readonly exactness: Exactness;
  /**
   * Partial sums are added to C by float atomics in global memory, which take subnormal operands and results for zero
   * (PTX ISA, `red`): each addition may be off by 3·2^-126 besides its rounding. Each is scaled by alpha, and C by beta,
   * before: where such a part overflows, or alpha is infinite, the sum may be NaN or infinite though alpha·A·B is not.
   */
  readonly atomicSums?: boolean;
  /** `reference`: what other kernels are measured against, such as a vendor's library. */
  readonly role?: 'reference';
  /** Made for the sizes of one problem, which are compiled in; measured apart from what takes any size. */
  readonly specialised?: boolean;
  /** True where it can be loaded only for sizes that {@link forShape} has filled in. */
  readonly open?: boolean;
  /**
   * What to load for a problem of these sizes, where that depends on them; itself where it does not.
   * @throws UnsupportedError where it does not take them
   */
  forShape?(sizes: Pick<GemmShape, 'm' | 'n' | 'k'>): Gemm;
  /** Throws nothing: undefined if it takes this problem on this device, else the sentence why not. */
  refusal(problem: GemmProblem | GemmShape, device?: PlanDevice): string | undefined;
  /** Puts it on a device. @throws UnsupportedError where no artefact covers the device, listing those built. */
  load(device: Device, options?: GemmLoadOptions): Promise<LoadedGemm>;
}

export interface GemmLoadOptions {
  /** Format to run instead of the device's first choice. */
  readonly format?: 'cubin' | 'ptx';
  /** Compile where no built artefact fits. Default: only where sizes are filled in; else it is refused. */
  readonly compile?: boolean;
}

/**
 * Arithmetic of a product. `fp32`: multiply-adds in float32. `fp32-pedantic`: the same, and the library is held to
 * the textbook. `tf32`: inputs are rounded to 11 bits.
 */
export type MathMode = 'fp32' | 'fp32-pedantic' | 'tf32';

/** What exactly runs: for result rows. */
export interface GemmArtefact {
  readonly ranAs: 'cubin' | 'jit' | 'emulated' | 'library';
  /** Hex digest of the bytes that were loaded. */
  readonly sha256: string;
  readonly arch: string;
  /** Compiler and version that made it, or the library and version. */
  readonly compiler: string;
  /** Default `fp32`. */
  readonly mathMode?: MathMode;
}

/** How an operation is made ready: as a graph, it is enqueued by one call of the driver. A library may refuse that. */
export type PrepareOptions = LaunchBatchOptions;

/** A {@link Gemm} on a device. */
export interface LoadedGemm extends Disposable {
  readonly gemm: Gemm;
  readonly device: Device;
  readonly artefact: GemmArtefact;
  /**
   * Checks a problem with its operands, once, and returns what can be enqueued any number of times.
   * @throws ArgumentError, UnsupportedError, before anything is launched.
   */
  prepare(shape: GemmShape, operands: GemmOperands, options?: PrepareOptions): PreparedGemm;
  close(): void;
}

/** A GEMM ready to run. Keeps operands and scratch alive. */
export interface PreparedGemm extends Disposable {
  readonly problem: GemmProblem;
  readonly plan: Plan;
  /** Sums that the products of an element are split into, at most: the error bound grows with them. Default 1. */
  readonly partialSums?: number;
  /** Enqueues every launch of the plan, in order, and returns at once. */
  enqueue(stream: Stream): void;
  close(): void;
}
