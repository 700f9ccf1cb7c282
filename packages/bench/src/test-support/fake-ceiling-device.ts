import type { BoundLaunch, Buffer, KernelArg, LaunchBatch, LoadedObject, Stream } from '@ffma/core';
import {
  ffmaKernel,
  ffmasPerIteration,
  outerProductKernel,
  readKernel,
} from '../roofline/ceiling-kernels.js';
import { FakeBuffer } from './fake-device.js';
import { FakeTimingDevice } from './fake-timing-device.js';

const numberOf = (arg: KernelArg | undefined) =>
  'value' in (arg as KernelArg) ? Number((arg as { value: number }).value) : 0;
const floatsOf = (arg: KernelArg | undefined) =>
  new Float32Array(((arg as { buffer: Buffer }).buffer as FakeBuffer).memory.buffer);

/** What the ceiling kernels write. */
const kernels: Readonly<Record<string, (args: readonly KernelArg[]) => void>> = {
  [ffmaKernel.entry.symbol]: ([out, iterations]) =>
    floatsOf(out).fill(28 + ffmasPerIteration(ffmaKernel) * numberOf(iterations)),
  [outerProductKernel.entry.symbol]: ([, out, iterations]) =>
    floatsOf(out).fill(ffmasPerIteration(outerProductKernel) * numberOf(iterations)),
  [readKernel.entry.symbol]: ([, out, vectors]) => {
    floatsOf(out).fill(0)[0] = 4 * numberOf(vectors);
  },
};
const signatures = [ffmaKernel, outerProductKernel, readKernel].map(({ entry }) => entry);

class CopiedBuffer extends FakeBuffer {
  override async copyFrom(
    stream: Stream,
    source: ArrayBufferView | Buffer,
    byteOffset?: number,
  ): Promise<void> {
    if (source instanceof FakeBuffer) return this.device.launched('copy');
    return super.copyFrom(stream, source, byteOffset);
  }
}

/** A GPU that runs the ceiling kernels, and takes the times that it is told; `wrong` adds to what they write. */
export class FakeCeilingDevice extends FakeTimingDevice {
  wrong: string | undefined;

  override allocateSync(byteLength: number): FakeBuffer {
    return new CopiedBuffer(this, byteLength);
  }

  override async load(): Promise<LoadedObject> {
    const kernel = (name: string) => ({
      device: this,
      name,
      attributes: { numRegs: 32, sharedBytes: 0, localBytes: 0, maxThreadsPerBlock: 1024 },
      paramSizes:
        signatures
          .find(({ symbol }) => symbol === name)
          ?.signature.map(({ type }) => (type === 'in' || type === 'out' ? 8 : 4)) ?? [],
    });
    return { device: this, kernel, close() {}, [Symbol.dispose]() {} } as unknown as LoadedObject;
  }

  prepareLaunches(launches: readonly BoundLaunch[]): LaunchBatch {
    return {
      graph: false,
      enqueue: () => {
        for (const { kernel, args } of launches) {
          kernels[kernel.name]?.(args);
          if (this.wrong === kernel.name)
            floatsOf(
              args.find((arg, i) => arg.type === 'pointer' && i === (args.length === 4 ? 0 : 1)),
            )[0]! += 1;
          this.launched(kernel.name);
        }
      },
      close: () => {},
    };
  }
}
