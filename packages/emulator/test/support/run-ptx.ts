import { type Buffer, type Dim3, type KernelArg, launch, ObjectCode, type Stream } from '@ffma/core';
import type { EmulatorDevice } from '@ffma/emulator';

/** Registers that test kernels use without declaring them one by one. */
const REGISTERS = `.reg .pred %p<20>; .reg .b16 %rs<40>; .reg .b32 %r<80>; .reg .b64 %rd<80>; .reg .f32 %f<40>; .reg .f64 %fd<40>;`;

/**
 * A module with one kernel `k`. Parameters are written `u64 out, u32 n`; registers %p, %rs, %r, %rd, %f and %fd are
 * declared. The body starts on PTX line 7 and gets a `ret` at its end.
 */
export function kernel(params: string, body: string, variables = ''): string {
  const list = params
    .split(',')
    .filter((param) => param.trim() !== '')
    .map((param) => `.param .${param.trim()}`)
    .join(', ');
  return `.version 8.5\n.target sm_80\n.address_size 64\n${variables}\n.visible .entry k(${list}) {\n${REGISTERS}\n${body}\nret;\n}\n`;
}

/** Line of the first occurrence of `text` in a PTX text, 1-based. */
export function lineOf(ptx: string, text: string): number {
  return ptx.slice(0, ptx.indexOf(text)).split('\n').length;
}

/** Device memory of this size that nothing has written. */
export class Unwritten {
  readonly byteLength: number;
  constructor(byteLength: number) {
    this.byteLength = byteLength;
  }
}

/** Arrays are copied to the device before and back after the launch; a number is an i32, a bigint an i64. */
export type PtxArg = ArrayBufferView | Unwritten | number | bigint | KernelArg;

export interface PtxLaunch {
  readonly grid?: number | Dim3;
  readonly block?: number | Dim3;
  readonly sharedBytes?: number;
  readonly args?: readonly PtxArg[];
  /** Name of the kernel; `k` where absent. */
  readonly kernel?: string;
}

const dim3 = (extent: number | Dim3 | undefined): Dim3 =>
  typeof extent === 'object' ? extent : [extent ?? 1, 1, 1];

async function argument(
  device: EmulatorDevice,
  stream: Stream,
  arg: PtxArg,
  buffers: Buffer[],
): Promise<KernelArg> {
  if (typeof arg === 'number') return { type: 'i32', value: arg };
  if (typeof arg === 'bigint') return { type: 'i64', value: BigInt.asIntN(64, arg) };
  if (!(arg instanceof Unwritten) && !ArrayBuffer.isView(arg)) return arg;
  const buffer = device.allocateSync(arg.byteLength);
  buffers.push(buffer);
  if (ArrayBuffer.isView(arg)) await buffer.copyFrom(stream, arg);
  return { type: 'pointer', buffer };
}

/** Loads PTX and launches its kernel once. Arrays among the arguments hold afterwards what the kernel left there. */
export async function runPtx(device: EmulatorDevice, ptx: string, options: PtxLaunch = {}): Promise<void> {
  using object = await device.load(ObjectCode.fromPtx(ptx, { name: 'test.ptx' }));
  using stream = device.createStream();
  const buffers: Buffer[] = [];
  const args = options.args ?? [];
  try {
    const passed: KernelArg[] = [];
    for (const arg of args) passed.push(await argument(device, stream, arg, buffers));
    const config = {
      grid: dim3(options.grid),
      block: dim3(options.block),
      ...(options.sharedBytes === undefined ? {} : { sharedBytes: options.sharedBytes }),
    };
    launch(stream, config, object.kernel(options.kernel ?? 'k'), ...passed);
    await stream.synchronize();
    let next = 0;
    for (const arg of args) {
      if (!ArrayBuffer.isView(arg)) {
        if (arg instanceof Unwritten) next++;
        continue;
      }
      await buffers[next++]!.copyTo(stream, arg);
    }
  } finally {
    for (const buffer of buffers) buffer.close();
  }
}
