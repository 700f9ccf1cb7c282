import { createHash } from 'node:crypto';
import { ArgumentError } from '../errors.js';
import type { Device } from './device.js';
import type { Kernel } from './kernel.js';
import { shown } from './shown.js';

export type ObjectFormat = 'cubin' | 'ptx';

export interface ObjectCodeOptions {
  /** For messages: where the code came from. */
  name?: string;
  /** Architecture it was made for: `sm_90` for a cubin, `compute_80` for PTX. */
  arch?: string;
}

/** Code for a device, before it is loaded: data only, so it can be made without a GPU. */
export class ObjectCode {
  readonly format: ObjectFormat;
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly arch: string | undefined;
  #sha256: string | undefined;

  private constructor(format: ObjectFormat, bytes: Uint8Array, options: ObjectCodeOptions) {
    if (!(bytes instanceof Uint8Array)) {
      const kinds = format === 'ptx' ? 'a string or a Uint8Array' : 'a Uint8Array';
      throw new ArgumentError(`Object code (${format}) must be ${kinds}, but is ${shown(bytes)}.`);
    }
    if (bytes.length === 0)
      throw new ArgumentError(`Object code must not be empty (${options.name ?? format}).`);
    this.format = format;
    this.bytes = bytes;
    this.name = options.name ?? `<${format}>`;
    this.arch = options.arch;
  }

  static fromPtx(ptx: string | Uint8Array, options: ObjectCodeOptions = {}): ObjectCode {
    return new ObjectCode('ptx', typeof ptx === 'string' ? new TextEncoder().encode(ptx) : ptx, options);
  }

  static fromCubin(cubin: Uint8Array, options: ObjectCodeOptions = {}): ObjectCode {
    return new ObjectCode('cubin', cubin, options);
  }

  /** PTX as text. @throws ArgumentError for a cubin. */
  get text(): string {
    if (this.format !== 'ptx')
      throw new ArgumentError(`${this.name} is a ${this.format}, which has no text.`);
    return new TextDecoder().decode(this.bytes);
  }

  /** Hex digest of the bytes: what a result row means by "what ran". */
  get sha256(): string {
    this.#sha256 ??= createHash('sha256').update(this.bytes).digest('hex');
    return this.#sha256;
  }
}

/** An {@link ObjectCode} on a device. */
export interface LoadedObject extends Disposable {
  readonly device: Device;
  readonly object: ObjectCode;
  /** `cubin` ran as it is; `jit` was compiled by the driver; `emulated` was translated for the CPU. */
  readonly ranAs: 'cubin' | 'jit' | 'emulated';
  readonly kernelNames: readonly string[];
  /** @throws ArgumentError listing the names that exist. */
  kernel(name: string): Kernel;
  close(): void;
}
