import {
  type Buffer,
  type Device,
  type KernelArg,
  type LaunchBatch,
  type LoadedObject,
  prepareLaunches,
  type Stream,
} from '@ffma/core';
import { ceilingCode } from './ceiling-code.js';
import {
  type CeilingKernel,
  ffmaKernel,
  ffmasPerIteration,
  outerProductKernel,
  readKernel,
} from './ceiling-kernels.js';

/** How much the runs do: by default about 2 ms of FFMAs on an H200, and buffers that no cache holds. */
export interface CeilingWork {
  /** Iterations of the FFMA kernel; the outer product has twice as many. */
  readonly iterations: number;
  /** Bytes that are copied, and read; a multiple of 16. */
  readonly bytes: number;
  /** Multiprocessors to fill. Default: all there are. */
  readonly smCount?: number;
}

/** Less than 2^31 floats, so that the read kernel's index is an int. */
export const ceilingWork: CeilingWork = { iterations: 2048, bytes: 512 * 2 ** 20 };

/** Something that reaches a limit, ready to be enqueued. */
export interface CeilingRun extends Disposable {
  readonly name: 'ffma' | 'outer-product' | 'copy' | 'read';
  readonly title: string;
  /** Floating-point operations of a launch; an FFMA is two. 0 of what moves memory. */
  readonly flops: number;
  /** Bytes that a launch moves: read, or read and written. 0 of what computes. */
  readonly bytes: number;
  readonly enqueue: (stream: Stream) => void;
  /** What each thread writes; undefined of the copy. */
  readonly out: Buffer | undefined;
  /** Device symbol; undefined of the copy. */
  readonly symbol: string | undefined;
}

class KernelRun {
  readonly out: Buffer;
  readonly blocks: number;
  readonly #loaded: LoadedObject;
  readonly #batch: LaunchBatch;

  private constructor(out: Buffer, blocks: number, loaded: LoadedObject, batch: LaunchBatch) {
    this.out = out;
    this.blocks = blocks;
    this.#loaded = loaded;
    this.#batch = batch;
  }

  static async create(
    device: Device,
    kernel: CeilingKernel,
    { smCount = device.limits.smCount }: CeilingWork,
    args: (out: KernelArg) => readonly KernelArg[],
  ) {
    const blocks = smCount * kernel.blocksPerSm;
    const loaded = await device.load(await ceilingCode(kernel, device));
    const out = await device.allocate(blocks * kernel.threads * 4);
    const config = { grid: [blocks, 1, 1], block: [kernel.threads, 1, 1], sharedBytes: 0 } as const;
    const launch = {
      config,
      kernel: loaded.kernel(kernel.entry.symbol),
      args: args({ type: 'pointer', buffer: out }),
    };
    return new KernelRun(out, blocks, loaded, prepareLaunches(device, [launch]));
  }

  readonly enqueue = (stream: Stream): void => this.#batch.enqueue(stream);

  close(): void {
    this.#batch.close();
    this.out.close();
    this.#loaded.close();
  }
}

const i32 = (value: number): KernelArg => ({ type: 'i32', value });
const f32 = (value: number): KernelArg => ({ type: 'f32', value });
const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;

function computeRun(
  kernel: CeilingKernel,
  title: string,
  iterations: number,
  run: KernelRun,
  more: readonly Buffer[],
) {
  return {
    name: kernel.name,
    title,
    flops: 2 * ffmasPerIteration(kernel) * iterations * run.blocks * kernel.threads,
    bytes: 0,
    enqueue: run.enqueue,
    out: run.out,
    symbol: kernel.entry.symbol,
    [Symbol.dispose]: () => {
      run.close();
      for (const buffer of more) buffer.close();
    },
  };
}

/** FFMAs of independent chains: 1 · 1 is added each time, so that the results are known. */
export async function ffmaRun(device: Device, work: CeilingWork): Promise<CeilingRun> {
  const { iterations } = work;
  const run = await KernelRun.create(device, ffmaKernel, work, (out) => [
    out,
    i32(iterations),
    f32(1),
    f32(1),
  ]);
  return computeRun(ffmaKernel, 'independent chains of FFMAs', iterations, run, []);
}

/** FFMAs of an outer product of registers, all of them 1. */
export async function outerProductRun(
  device: Device,
  stream: Stream,
  work: CeilingWork,
): Promise<CeilingRun> {
  const { iterations } = work;
  const { TM = 0, TN = 0 } = outerProductKernel.params;
  const operands = await device.allocate((TM + TN) * 4);
  await operands.copyFrom(stream, new Float32Array(TM + TN).fill(1));
  const run = await KernelRun.create(device, outerProductKernel, work, (out) => [
    { type: 'pointer', buffer: operands },
    out,
    i32(2 * iterations),
  ]);
  const title = `outer product of registers, ${TM}×${TN} patch`;
  return computeRun(outerProductKernel, title, 2 * iterations, run, [operands]);
}

/** A copy by the driver from one buffer to another. The buffers are the caller's. */
export function copyRun(from: Buffer, to: Buffer): CeilingRun {
  return {
    name: 'copy',
    title: `copy of ${mebibytes(from.byteLength)} within the device`,
    flops: 0,
    bytes: 2 * from.byteLength,
    enqueue: (stream) => {
      // It fails where the stream fails, which whoever waits for the stream learns.
      to.copyFrom(stream, from).catch(() => {});
    },
    out: undefined,
    symbol: undefined,
    [Symbol.dispose]: () => {},
  };
}

/** Reads a buffer, which is the caller's. */
export async function readRun(device: Device, from: Buffer, work: CeilingWork): Promise<CeilingRun> {
  const vectors = from.byteLength / 16;
  const run = await KernelRun.create(device, readKernel, work, (out) => [
    { type: 'pointer', buffer: from },
    out,
    i32(vectors),
  ]);
  return {
    name: 'read',
    title: `read of ${mebibytes(from.byteLength)}`,
    flops: 0,
    bytes: from.byteLength,
    enqueue: run.enqueue,
    out: run.out,
    symbol: readKernel.entry.symbol,
    [Symbol.dispose]: () => run.close(),
  };
}
