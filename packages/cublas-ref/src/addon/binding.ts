/**
 * What the native addon exports: cuBLAS with raw handles. Failures are thrown (or rejected) as plain errors with `code`
 * (an FFMA code) and, where a library spoke, `native` (its name for the failure) and `call`.
 */
export interface NativeBinding {
  /** The package that it belongs to: two addons of one version would look alike. */
  readonly addon: '@ffma/cublas-ref';
  /** Version of the addon's own interface; the loader refuses another than its own. */
  readonly interfaceVersion: number;
  /**
   * Takes the functions for contexts from the first driver library that has them, once a process.
   * @returns the driver's CUDA version, 13000 for 13.0; undefined where it does not say
   * @throws FFMA_UNAVAILABLE with the reason
   */
  openDriver(candidates: readonly string[]): number | undefined;
  /** Opens cuBLAS by path, or by a name that the loader knows, on a thread of its own. Rejects with FFMA_UNAVAILABLE. */
  openLibrary(file: string): Promise<NativeCublas>;
}

/** An open cuBLAS. It stays loaded until the process ends. */
export interface NativeCublas {
  /** The file that was loaded. */
  readonly path: string;
  readonly version: readonly [major: number, minor: number, patch: number];
  /**
   * Creates a handle in a context and destroys it, on a thread of its own. Rejects where the GPU cannot be used.
   * @throws where the context is none
   */
  tryContext(where: { readonly context: bigint }): Promise<void>;
  createHandle(request: HandleRequest): NativeHandle;
  /** C = alpha·A·B + beta·C, row-major. */
  prepareSgemm(request: SgemmRequest): NativeCall;
  /** C = beta·C in place, row-major; zero, without reading C, where beta is 0. */
  prepareScale(request: ScaleRequest): NativeCall;
}

/** Raw handles are bigints, as the driver has them. The workspace's memory is the caller's. */
export interface HandleRequest {
  readonly context: bigint;
  readonly stream: bigint;
  readonly workspace: bigint;
  readonly workspaceBytes: number;
}

export interface NativeHandle {
  /** One native call; returns at once. */
  enqueue(call: NativeCall): void;
  /** Parts with stream and workspace, so that they can go; what is enqueued goes on. Nothing can be enqueued then. */
  detach(): void;
  /** Destroys it on a thread of its own, since that waits for the GPU. */
  destroy(): Promise<void>;
}

/** Arguments of a library call, ready to be enqueued on any handle. */
export interface NativeCall {
  readonly nativeCall: never;
}

/** cublasMath_t. */
export const mathMode = { default: 0, pedantic: 2 } as const;
export type MathMode = keyof typeof mathMode;

export interface ScaleRequest {
  readonly math: number;
  readonly m: number;
  readonly n: number;
  readonly beta: number;
  /** Device addresses; leading dimensions in elements. */
  readonly c: bigint;
  readonly ldc: number;
}

export interface SgemmRequest extends ScaleRequest {
  readonly k: number;
  readonly alpha: number;
  readonly a: bigint;
  readonly lda: number;
  readonly b: bigint;
  readonly ldb: number;
}
