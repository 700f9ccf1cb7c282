/**
 * What the native addon exports. It is a thin, typed layer over the CUDA driver API: handles are objects that keep
 * what they depend on alive and free themselves when collected; addresses and raw handles are bigints. Failures are
 * thrown (or rejected) as plain errors with `code` (an FFMA code), `native` (the CUDA name) and `call`.
 */
export interface NativeBinding {
  /** Version of the addon's own interface; the loader refuses another than its own. */
  readonly interfaceVersion: number;
  /** Looks for the libraries, once; nothing else needs them to be there. */
  libraries(): { readonly cuda: LibraryReport; readonly nvrtc: LibraryReport; readonly nvml: LibraryReport };
  /** cuInit and the number of devices. @throws FFMA_UNAVAILABLE with the reason */
  deviceCount(): number;
  deviceInfo(index: number): NativeDeviceInfo;
  /** Retains the primary context of a device. */
  openContext(index: number): NativeContext;
  /** NVRTC, on a thread of its own. Rejects with FFMA_COMPILE and the log, or FFMA_UNAVAILABLE. */
  compile(request: NvrtcRequest): Promise<NvrtcResult>;
  /** NVML readings of the device with this UUID (`GPU-…`). @throws FFMA_UNAVAILABLE */
  nvmlSample(uuid: string): NvmlSample;
  /** A 128-byte CUtensorMap for TMA tile loads. */
  encodeTensorMap(request: TensorMapRequest): Uint8Array;
}

export interface LibraryReport {
  readonly found: boolean;
  readonly path: string | undefined;
  /** Driver: 13000 for 13.0. NVRTC: the same form. NVML: the driver's version text. */
  readonly version: number | string | undefined;
  /** What was tried and why it failed, one sentence each. */
  readonly attempts: readonly string[];
}

export interface NativeDeviceInfo {
  readonly index: number;
  readonly name: string;
  /** `GPU-xxxxxxxx-…`. */
  readonly uuid: string;
  readonly computeCapability: readonly [major: number, minor: number];
  readonly totalBytes: number;
  /** Values of the CUdevice_attribute numbers that were asked for at build time, by their number. */
  readonly attributes: Readonly<Record<number, number>>;
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
  loadModule(image: Uint8Array, format: 'cubin' | 'ptx'): Promise<NativeModule>;
  /** Launches that are enqueued together by one call. Argument bytes are packed as the kernels expect them. */
  prepareLaunches(launches: readonly NativeLaunch[]): NativeLaunchList;
  synchronize(): Promise<void>;
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
  release(): void;
}

export interface NativeStream {
  /** Raw CUstream, for libraries that take one. */
  readonly handle: bigint;
  /** From host memory, pinned or not; resolves when the copy has landed. Never blocks for long. */
  copyToDevice(target: NativeMemory, offset: number, source: ArrayBufferView): Promise<void>;
  copyToHost(target: ArrayBufferView, source: NativeMemory, offset: number): Promise<void>;
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
  function(name: string): NativeFunction;
  unload(): void;
}

export interface NativeFunction {
  readonly name: string;
  readonly numRegs: number;
  readonly sharedBytes: number;
  readonly localBytes: number;
  readonly maxThreadsPerBlock: number;
  /** Bytes of each parameter, in order. */
  readonly paramSizes: readonly number[];
  /** Offset of each parameter in the packed argument bytes. */
  readonly paramOffsets: readonly number[];
  /** Resident blocks an SM for this block size and dynamic shared memory. */
  occupancy(threads: number, dynamicSharedBytes: number): number;
}

export interface NativeLaunch {
  readonly function: NativeFunction;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly cluster?: readonly [number, number, number] | undefined;
  readonly sharedBytes: number;
  readonly args: Uint8Array;
}

export interface NativeLaunchList {
  /** One native call, whatever the number of launches. */
  enqueue(stream: NativeStream): void;
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
