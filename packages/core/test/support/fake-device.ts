import type { Buffer } from '../../src/device/buffer.js';
import type { Device } from '../../src/device/device.js';
import type { KernelArg, LaunchConfig } from '../../src/device/launch.js';
import type { DeviceLimits } from '../../src/device/limits.js';
import type { LoadedObject, ObjectCode } from '../../src/device/object-code.js';
import type { Stream } from '../../src/device/stream.js';

export const limits: DeviceLimits = {
  smCount: 2,
  warpSize: 32,
  maxThreadsPerBlock: 1024,
  maxThreadsPerSm: 2048,
  maxBlocksPerSm: 32,
  registersPerSm: 65536,
  sharedBytesPerSm: 233472,
  sharedBytesPerBlock: 49152,
  sharedBytesPerBlockOptin: 232448,
  sharedBytesReservedPerBlock: 1024,
  maxBlockDim: [1024, 1024, 64],
  maxGridDim: [2 ** 31 - 1, 65535, 65535],
  l2Bytes: 2 ** 20,
};

export interface RecordedLaunch {
  readonly kernel: string;
  readonly config: LaunchConfig;
  readonly args: readonly KernelArg[];
}

/** A device that computes nothing: it keeps bytes, hands out addresses, and records what is launched. */
export class FakeDevice {
  readonly kind = 'fake';
  readonly name = 'fake';
  readonly formats: readonly ('cubin' | 'ptx')[];
  readonly limits = limits;
  readonly arch: string;
  readonly launches: RecordedLaunch[] = [];
  readonly objects: ObjectCode[] = [];
  readonly open = new Set<string>();
  /** Of every kernel; at first those of the usual GEMM entry. */
  paramSizes: readonly number[] = [8, 8, 8, 4, 4, 4, 4, 4, 4, 4, 4];
  maxThreadsPerBlock = 1024;
  #next = 2n ** 33n;
  #count = 0;

  constructor(arch = 'sm_90', formats: readonly ('cubin' | 'ptx')[] = ['ptx']) {
    this.arch = arch;
    this.formats = formats;
  }

  get asDevice(): Device {
    return this as unknown as Device;
  }

  #track(what: string): { close(): void; [Symbol.dispose](): void; readonly closed: boolean } {
    const name = `${what} ${++this.#count}`;
    const open = this.open;
    open.add(name);
    const close = () => void open.delete(name);
    return {
      close,
      [Symbol.dispose]: close,
      get closed() {
        return !open.has(name);
      },
    };
  }

  allocateSync(byteLength: number): Buffer {
    const bytes = new Uint8Array(byteLength);
    const address = byteLength === 0 ? 0n : this.#next;
    this.#next += BigInt(Math.ceil((byteLength + 1) / 256) * 256);
    const copy = async (to: Uint8Array, from: Uint8Array) => to.set(from);
    const view = (v: ArrayBufferView) => new Uint8Array(v.buffer, v.byteOffset, v.byteLength);
    return Object.defineProperties(
      {
        device: this,
        byteLength,
        address,
        copyFrom: (_: Stream, source: ArrayBufferView) => copy(bytes, view(source)),
        copyTo: (_: Stream, target: ArrayBufferView) =>
          copy(view(target), bytes.subarray(0, target.byteLength)),
        fill: () => undefined,
      },
      Object.getOwnPropertyDescriptors(this.#track('buffer')),
    ) as unknown as Buffer;
  }

  async allocate(byteLength: number): Promise<Buffer> {
    return this.allocateSync(byteLength);
  }

  createStream(): Stream {
    const enqueueLaunch = (config: LaunchConfig, kernel: { name: string }, args: readonly KernelArg[]) => {
      this.launches.push({ kernel: kernel.name, config, args });
    };
    return Object.defineProperties(
      { device: this, enqueueLaunch, synchronize: async () => undefined },
      Object.getOwnPropertyDescriptors(this.#track('stream')),
    ) as unknown as Stream;
  }

  async load(object: ObjectCode): Promise<LoadedObject & { readonly closed: boolean }> {
    this.objects.push(object);
    const kernel = (name: string) => ({
      device: this,
      name,
      attributes: {
        numRegs: undefined,
        sharedBytes: 0,
        localBytes: undefined,
        maxThreadsPerBlock: this.maxThreadsPerBlock,
      },
      paramSizes: this.paramSizes,
    });
    return Object.defineProperties(
      { device: this, object, ranAs: 'emulated', kernelNames: [], kernel },
      Object.getOwnPropertyDescriptors(this.#track('object')),
    ) as unknown as LoadedObject & { readonly closed: boolean };
  }
}
