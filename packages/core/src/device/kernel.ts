import type { Device } from './device.js';

export interface KernelAttributes {
  /** Registers a thread; undefined where nothing has compiled it to machine code. */
  readonly numRegs: number | undefined;
  /** Static shared memory, in bytes. */
  readonly sharedBytes: number;
  /** Local memory a thread, in bytes; undefined as above. */
  readonly localBytes: number | undefined;
  readonly maxThreadsPerBlock: number;
}

/** A `__global__` function on a device. */
export interface Kernel {
  readonly device: Device;
  readonly name: string;
  readonly attributes: KernelAttributes;
  /** Parameter sizes in bytes, in order. */
  readonly paramSizes: readonly number[];
}
