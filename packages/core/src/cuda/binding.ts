import type { FfmaErrorCode } from '../errors.js';

/**
 * What the native addon exports. It is a thin, typed layer over the CUDA driver API: handles are objects that keep
 * what they depend on alive and free themselves when collected; addresses and raw handles are bigints. It checks
 * what keeps it from crashing; whether arguments make sense is checked by the classes above it.
 */
export interface NativeBinding {
  /** The package that it belongs to: two addons of one version would look alike. */
  readonly addon: '@ffma/core';
  /** Version of the addon's own interface; the loader refuses another than its own. */
  readonly interfaceVersion: number;
  /** CUDA version of the oldest driver that it works with, in the driver's form: 12040 for 12.4. */
  readonly oldestDriver: number;
  /** Makes the error objects that the addon throws and rejects with, in this thread. */
  setErrorFactory(make: (failure: NativeFailure) => Error): void;
  /** Opens the first candidate that will do, once a process: after a success the candidates are not looked at. */
  openLibrary(which: 'cuda' | 'nvrtc' | 'nvml', candidates: readonly string[]): LibraryReport;
  /** cuInit and the number of devices. @throws FFMA_UNAVAILABLE with the reason */
  deviceCount(): number;
  /** `attributes` are CUdevice_attribute numbers. */
  deviceInfo(index: number, attributes: readonly number[]): NativeDeviceInfo;
  /** From here on the end of the process waits neither for kernels nor for what libraries registered for it so far. */
  guardExit(): void;
  /** Retains the primary context of a device. */
  openContext(index: number): NativeContext;
  /** NVRTC, on a thread of its own. Rejects with FFMA_COMPILE and the log, or FFMA_UNAVAILABLE. */
  compile(request: NvrtcRequest): Promise<NvrtcResult>;
  /** NVML readings of the device with this UUID (`GPU-…`). @throws FFMA_UNAVAILABLE */
  nvmlSample(uuid: string): NvmlSample;
  /** A 128-byte CUtensorMap for TMA tile loads. */
  encodeTensorMap(request: TensorMapRequest): Uint8Array;
}

/** What goes wrong in the addon. */
export interface NativeFailure {
  readonly code: FfmaErrorCode;
  readonly message: string;
  /** The CUDA name of the error. */
  readonly native?: string;
  readonly call?: string;
  /** All that a compiler said. */
  readonly log?: string;
}

export interface LibraryReport {
  readonly found: boolean;
  readonly path: string | undefined;
  /** Driver: 13000 for 13.0. NVRTC: the same form. NVML: the driver's version text. */
  readonly version: number | string | undefined;
  /** Candidates that would not do. */
  readonly attempts: readonly LibraryAttempt[];
}

export interface LibraryAttempt {
  readonly path: string;
  /** `absent`: no such file. `broken`: it does not load. `incomplete`: it lacks a function. */
  readonly problem: 'absent' | 'broken' | 'incomplete';
  /** The loader's own words; the function's name. */
  readonly reason: string;
}

export interface NativeDeviceInfo {
  readonly name: string;
  /** `GPU-xxxxxxxx-…`. */
  readonly uuid: string;
  readonly totalBytes: number;
  /** Values of the attributes that were asked for, in that order. */
  readonly attributes: readonly number[];
}

export interface NativeContext {
  /** Raw CUcontext. */
  readonly handle: bigint;
  /** The sticky error that took the context down; every call after it throws it. */
  readonly lost: Error | undefined;
  memInfo(): readonly [free: number, total: number];
  allocate(byteLength: number): NativeMemory;
  /** Page-locked host memory as an ArrayBuffer, freed when that is collected or `release`d. */
  allocatePinned(byteLength: number): NativePinned;
  createStream(): NativeStream;
  createEvent(timing: boolean): NativeEvent;
  /** Loads a cubin, or PTX through the driver's JIT, on a thread of its own. Rejects with the JIT's log. */
  loadModule(image: Uint8Array): Promise<NativeModule>;
  /**
   * Launches that are enqueued together by one call. Argument bytes are packed as the kernels expect them. As a graph
   * they are one call of the driver, too.
   */
  prepareLaunches(launches: readonly NativeLaunch[], asGraph: boolean): NativeEnqueue;
  /** Resolves when everything enqueued on any stream, and everything that was freed, is over. */
  synchronize(): Promise<void>;
  /** Gives back everything that came from it. What is in flight goes on, and settles. */
  close(): void;
}

export interface NativeMemory {
  readonly address: bigint;
  readonly byteLength: number;
  /** Frees in order of the work that was enqueued before. */
  free(): void;
}

export interface NativePinned {
  readonly buffer: ArrayBuffer;
  /** Detaches the buffer; the memory is freed in order of the work that was enqueued before. */
  release(): void;
}

export interface NativeStream {
  /** Raw CUstream, for libraries that take one. */
  readonly handle: bigint;
  /** Stands for it in launches. */
  readonly number: number;
  /** From host memory, pinned or not; resolves when the copy has landed. Never blocks for long. */
  copyToDevice(target: NativeMemory, offset: number, source: Uint8Array): Promise<void>;
  copyToHost(target: Uint8Array, source: NativeMemory, offset: number): Promise<void>;
  copyOnDevice(
    target: NativeMemory,
    targetOffset: number,
    source: NativeMemory,
    sourceOffset: number,
    byteLength: number,
  ): void;
  fill(target: NativeMemory, offset: number, word: number, words: number): void;
  record(event: NativeEvent): void;
  wait(event: NativeEvent): void;
  synchronize(): Promise<void>;
  close(): void;
}

export interface NativeEvent {
  query(): boolean;
  synchronize(): Promise<void>;
  elapsedMs(start: NativeEvent): number;
  close(): void;
}

export interface NativeModule {
  /** Info and error log of the JIT; empty for a cubin. */
  readonly log: string;
  readonly functionNames: readonly string[];
  /** Without the number of parameters, the driver is asked until it refuses. */
  function(name: string, paramCount: number | undefined): NativeFunction;
  unload(): void;
}

export interface NativeFunction {
  readonly name: string;
  /** Raw CUfunction. */
  readonly handle: bigint;
  attributes(): NativeFunctionAttributes;
  /** Bytes of each parameter, and where it stands in the packed arguments. */
  params(): readonly NativeParam[];
  /** Resident blocks an SM for this block size and dynamic shared memory. */
  occupancy(threads: number, dynamicSharedBytes: number): number;
}

export interface NativeFunctionAttributes {
  readonly numRegs: number;
  readonly sharedBytes: number;
  readonly localBytes: number;
  readonly maxThreadsPerBlock: number;
}

export interface NativeParam {
  readonly offset: number;
  readonly size: number;
}

export interface NativeLaunch {
  readonly function: NativeFunction;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly cluster?: readonly [number, number, number] | undefined;
  /** Dynamic shared memory. */
  readonly sharedBytes: number;
  readonly args: Uint8Array;
}

/** One native call, whatever the number of launches. The stream, by its number, must be of the same context. */
export interface NativeEnqueue {
  (streamNumber: number): void;
  /** Gives back what the driver holds for a graph. */
  release(): void;
}

export interface NvrtcRequest {
  readonly source: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: readonly string[];
  readonly format: 'ptx' | 'cubin';
}

export interface NvrtcResult {
  readonly image: Uint8Array;
  readonly log: string;
}

export interface NvmlSample {
  readonly smClockMHz: number;
  readonly memoryClockMHz: number;
  readonly powerW: number;
  readonly temperatureC: number;
  /** Bit mask of nvmlClocksEventReasons. */
  readonly throttleReasons: bigint;
}

export interface TensorMapRequest {
  readonly dataType: number;
  readonly address: bigint;
  readonly globalDim: readonly bigint[];
  /** Bytes; one fewer than dimensions. */
  readonly globalStrides: readonly bigint[];
  readonly boxDim: readonly number[];
  readonly elementStrides: readonly number[];
  readonly interleave: number;
  readonly swizzle: number;
  readonly l2Promotion: number;
  readonly oobFill: number;
}
