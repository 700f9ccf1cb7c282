import { ArgumentError, ClosedError, UnsupportedError } from '../errors.js';
import type { Buffer } from './buffer.js';
import type { Device } from './device.js';
import type { Kernel } from './kernel.js';
import { checkScalar } from './scalar-args.js';
import { shown } from './shown.js';
import { TENSOR_MAP_BYTES, type TensorMap, type TensorMapper } from './tensor-map.js';

/** One kernel argument. A buffer stands for its address, `offset` in bytes; a tensor map is passed by value. */
export type KernelArg =
  | { readonly type: 'pointer'; readonly buffer: Buffer; readonly offset?: number }
  | { readonly type: 'tensorMap'; readonly map: TensorMap }
  | { readonly type: 'i32' | 'u32' | 'f32' | 'f64'; readonly value: number }
  | { readonly type: 'i64' | 'u64'; readonly value: bigint | number };

const sizes = {
  pointer: 8,
  tensorMap: TENSOR_MAP_BYTES,
  i32: 4,
  u32: 4,
  f32: 4,
  f64: 8,
  i64: 8,
  u64: 8,
} as const satisfies Record<KernelArg['type'], number>;

/** Byte size of an argument as the kernel's parameter list sees it. */
export function argSize(arg: KernelArg): 4 | 8 | 128 {
  return sizes[arg.type];
}

/** Memory that an argument leads to: it must outlive the launch. */
export function bufferOf(arg: KernelArg): Buffer | undefined {
  if (arg.type === 'pointer') return arg.buffer;
  return arg.type === 'tensorMap' ? arg.map.buffer : undefined;
}

/** What messages call a launch. */
export interface LaunchNames {
  /** E.g. `entry main of k11`. Default: the kernel by its name. */
  readonly what: string;
  /** Names of the arguments, in order. */
  readonly args: readonly string[];
}

/** What messages call an argument. Most of a check's time would be spent on it, so it is made where it is needed. */
type Named = () => string;

const lower = (what: Named) => what().replace(/^A/, 'a');

/** That it is an argument at all: nothing more is known of it where TypeScript did not look at the call. */
function checkForm(arg: KernelArg, what: Named): void {
  if (typeof arg !== 'object' || arg === null) {
    throw new ArgumentError(
      `${what()} must be an object such as { type: 'i32', value: 1 }, but is ${shown(arg)}.`,
    );
  }
  if (!Object.hasOwn(sizes, arg.type)) {
    throw new ArgumentError(
      `The type of ${lower(what)} must be one of ${Object.keys(sizes).join(', ')}, but is ${shown(arg.type)}.`,
    );
  }
  if (arg.type === 'tensorMap' && !(arg.map?.bytes instanceof Uint8Array)) {
    throw new ArgumentError(`${what()} must have a tensor map, but has ${shown(arg.map)}.`, {
      remedy: 'Make it by device.encodeTensorMap.',
    });
  }
  if ((arg.type === 'pointer' || arg.type === 'tensorMap') && typeof bufferOf(arg)?.byteLength !== 'number') {
    throw new ArgumentError(`${what()} must lead to a buffer, but has ${shown(bufferOf(arg))}.`, {
      remedy: 'Allocate one: await device.allocate(byteLength).',
    });
  }
}

function checkMemory(device: Device, arg: KernelArg, what: Named): void {
  const buffer = bufferOf(arg);
  if (buffer === undefined) return;
  if (buffer.closed) throw new ClosedError(`buffer of ${lower(what)}`);
  if (buffer.device !== device) {
    throw new ArgumentError(`${what()} points to a buffer of another device than the launch is for.`, {
      remedy: 'Allocate it on the device of the stream.',
    });
  }
  if (arg.type !== 'pointer') return;
  const { offset = 0 } = arg;
  if (!Number.isInteger(offset) || offset < 0 || offset > buffer.byteLength) {
    throw new ArgumentError(
      `${what()} must point into its buffer of ${buffer.byteLength} bytes, but the offset is ${shown(offset)}.`,
    );
  }
}

function checkTensorMap(device: Device, { bytes }: TensorMap, what: Named): void {
  if ((device as Device & Partial<TensorMapper>).encodeTensorMap === undefined) {
    throw new UnsupportedError(
      `${what()} is a tensor map, which ${device.name} does not take: it has no tensor memory accelerator.`,
      { remedy: "Launch it on openDevice('cuda'), or use a kernel without tensor maps." },
    );
  }
  if (bytes.length !== TENSOR_MAP_BYTES) {
    throw new ArgumentError(`${what()} must have ${TENSOR_MAP_BYTES} bytes, but has ${bytes.length}.`, {
      remedy: 'Make it by device.encodeTensorMap.',
    });
  }
}

/** @param what what needs it @throws ArgumentError where it is no kernel */
export function checkKernel(what: string, kernel: unknown): asserts kernel is Kernel {
  const { paramSizes, attributes } = (kernel ?? {}) as Partial<Kernel>;
  if (Array.isArray(paramSizes) && typeof attributes === 'object') return;
  throw new ArgumentError(`${what} needs a kernel of a loaded object, but got ${shown(kernel)}.`, {
    remedy: 'Take one: (await device.load(object)).kernel(name).',
  });
}

/**
 * Checks arguments against a kernel and a device. Every device does this with every launch that it is given, so that
 * nothing reaches it that is closed or lives elsewhere, also where {@link launch} was passed by.
 * @throws ArgumentError where they do not fit the kernel's parameters, or lead to another device
 * @throws ClosedError where an argument's buffer is closed
 * @throws UnsupportedError for a tensor map on a device that has none
 */
export function checkArgs(
  device: Device,
  kernel: Kernel,
  args: readonly KernelArg[],
  names?: LaunchNames,
): void {
  checkKernel('A launch', kernel);
  const launch = () => names?.what ?? `kernel ${kernel.name}`;
  const { paramSizes } = kernel;
  if (kernel.device !== device) {
    throw new ArgumentError(`Kernel ${kernel.name} was loaded on another device than the launch is for.`);
  }
  if (args.length !== paramSizes.length) {
    throw new ArgumentError(
      `A launch of ${launch()} takes ${paramSizes.length} arguments, but got ${args.length}.`,
    );
  }
  for (const [i, arg] of args.entries()) {
    const what = () => `Argument ${names?.args[i] ?? i} of ${launch()}`;
    checkForm(arg, what);
    if (arg.type === 'tensorMap') checkTensorMap(device, arg.map, what);
    if (argSize(arg) !== paramSizes[i]) {
      throw new ArgumentError(
        `${what()} must be ${paramSizes[i]} bytes, but ${arg.type} is ${argSize(arg)}.`,
      );
    }
    if (arg.type === 'pointer' || arg.type === 'tensorMap') checkMemory(device, arg, what);
    else checkScalar(arg.type, arg.value, what);
  }
}
