import { ArgumentError } from '../errors.js';
import type { Device } from './device.js';
import type { EventOptions } from './event.js';
import type { ObjectCode } from './object-code.js';
import { shown } from './shown.js';

/** What every device checks of what it is given, so that a wrong value is named in the same words everywhere. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

interface OfDevice {
  readonly device: Device;
}

/** Of which class something of a device must be, and what messages call it and what it is used with. */
export interface OwnRule<T extends OfDevice> {
  readonly type: abstract new (...args: never) => T;
  /** E.g. `stream`. */
  readonly what: string;
  /** E.g. `buffer`: it must be of the same device. */
  readonly owner: string;
}

/** Something of the same device as what it is used with. @throws ArgumentError where it is nothing such, or of another */
export function checkOwn<T extends OfDevice>(
  device: Device,
  value: unknown,
  { type, what, owner }: OwnRule<T>,
): T {
  if (value instanceof type && value.device === device) return value;
  if (isObject(value) && isObject(value.device) && value.device !== (device as unknown)) {
    throw new ArgumentError(`The ${what} belongs to another device than the ${owner}.`);
  }
  throw new ArgumentError(
    `${/^[aeiou]/.test(what) ? 'An' : 'A'} ${what} of the device of the ${owner} is needed, but got ${shown(value)}.`,
  );
}

/** @param what e.g. `A copy's source` @throws ArgumentError where it is no view of host memory */
export function checkHostView(value: unknown, what: string): asserts value is ArrayBufferView {
  if (ArrayBuffer.isView(value)) return;
  const bare = value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
  throw new ArgumentError(
    `${what} must be a typed array or a DataView, but is ${shown(value)}.`,
    bare ? { remedy: 'Wrap it: new Uint8Array(memory).' } : {},
  );
}

/** The source of a copy that is no host memory. @throws ArgumentError where it is neither that nor a buffer */
export function checkSource(value: unknown): void {
  if (isObject(value) && isObject(value.device) && typeof value.byteLength === 'number') return;
  checkHostView(value, 'The source of a copy, where it is no buffer,');
}

/** @throws ArgumentError where it is no object code */
export function checkObjectCode(object: unknown): asserts object is ObjectCode {
  if (isObject(object) && object.bytes instanceof Uint8Array && typeof object.format === 'string') return;
  throw new ArgumentError(`What is loaded must be an ObjectCode, but is ${shown(object)}.`, {
    remedy: 'Make one by ObjectCode.fromPtx or ObjectCode.fromCubin.',
  });
}

/** @param what e.g. `openDevice` @throws ArgumentError where options are given and are no object */
export function checkOptionsObject(what: string, options: unknown): void {
  if (options === undefined || (isObject(options) && !Array.isArray(options))) return;
  throw new ArgumentError(`The options of ${what} must be an object, but are ${shown(options)}.`);
}

/** Options with their defaults. @throws ArgumentError */
export function checkedEventOptions(options: EventOptions | undefined): Required<EventOptions> {
  checkOptionsObject('createEvent', options);
  const { timing = true } = options ?? {};
  if (typeof timing === 'boolean') return { timing };
  throw new ArgumentError(`The option timing of an event must be a boolean, but is ${shown(timing)}.`);
}

/** @param what what needs it, e.g. `multiply` @throws ArgumentError where it is no device */
export function checkDevice(what: string, device: unknown): asserts device is Device {
  if (isObject(device) && isObject(device.limits)) return;
  throw new ArgumentError(`${what} needs a device, but got ${shown(device)}.`, {
    remedy: "Open one: await openDevice('auto').",
  });
}
