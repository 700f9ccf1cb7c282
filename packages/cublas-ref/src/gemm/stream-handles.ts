import type { Buffer, Device, Stream } from '@ffma/core';
import type { NativeCublas, NativeHandle } from '../addon/binding.js';
import { asFfmaError } from '../addon/native-error.js';
import { contextHandle, onClose, streamHandle } from './cuda-handles.js';

/** Bytes of a handle's workspace: what cuBLAS recommends for Hopper, and enough for every other architecture. */
export const workspaceBytes = 32 * 2 ** 20;

interface Entry {
  readonly stream: WeakRef<Stream>;
  readonly handle: NativeHandle;
  readonly workspace: Buffer;
}

/**
 * Destroys a handle when there is nothing to wait for: it would hold up one of the few threads that the process has
 * for such things, and the end of the process with it, for as long as a kernel runs.
 */
async function destroyLater(device: Device, handle: NativeHandle): Promise<void> {
  // Rejects where the device is lost, or was closed before: then there is nothing to wait for either.
  await device.synchronize().catch(() => undefined);
  await handle.destroy();
}

function release(device: Device, { handle, workspace }: Entry): void {
  handle.detach();
  // Nobody waits for it; the workspace is freed in order of the work that uses it.
  void destroyLater(device, handle);
  workspace.close();
}

/**
 * The handles of one library on one device: one for each stream, with its own workspace. What belongs to a stream that
 * was closed or forgotten is released when the next handle is made, and all of it with the last user, or with the
 * device if that is closed before.
 */
export class StreamHandles {
  readonly device: Device;
  readonly library: NativeCublas;
  readonly #byStream = new WeakMap<Stream, Entry>();
  readonly #entries = new Set<Entry>();
  #users = 0;
  #follows = false;

  constructor(device: Device, library: NativeCublas) {
    this.device = device;
    this.library = library;
  }

  /** Handles there are now. */
  get size(): number {
    return this.#entries.size;
  }

  /** The handle of a stream, made where there is none yet. */
  of(stream: Stream): NativeHandle {
    return (this.#byStream.get(stream) ?? this.#make(stream)).handle;
  }

  #make(stream: Stream): Entry {
    this.#releaseWhere(({ stream: of }) => of.deref()?.closed ?? true);
    const workspace = this.device.allocateSync(workspaceBytes);
    try {
      const handle = this.library.createHandle({
        context: contextHandle(this.device) as bigint,
        stream: streamHandle(stream),
        workspace: workspace.address,
        workspaceBytes,
      });
      const entry: Entry = { stream: new WeakRef(stream), handle, workspace };
      this.#followDevice();
      this.#byStream.set(stream, entry);
      this.#entries.add(entry);
      return entry;
    } catch (error) {
      workspace.close();
      throw asFfmaError(error, this.device);
    }
  }

  /** Once the first handle is there, and with it all that the library sets up. */
  #followDevice(): void {
    if (this.#follows) return;
    this.#follows = true;
    onClose(this.device, () => this.#releaseWhere(() => true));
  }

  #releaseWhere(condition: (entry: Entry) => boolean): void {
    for (const entry of this.#entries) {
      if (!condition(entry)) continue;
      this.#entries.delete(entry);
      const stream = entry.stream.deref();
      if (stream !== undefined) this.#byStream.delete(stream);
      release(this.device, entry);
    }
  }

  acquire(): void {
    this.#users += 1;
  }

  /** Releases every handle when the last user goes. */
  drop(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#releaseWhere(() => true);
  }
}

const ofDevice = new WeakMap<Device, Map<NativeCublas, StreamHandles>>();

/** The handles that everything loaded from a library on a device shares. */
export function streamHandles(device: Device, library: NativeCublas): StreamHandles {
  const known = ofDevice.get(device) ?? new Map<NativeCublas, StreamHandles>();
  ofDevice.set(device, known);
  const handles = known.get(library) ?? new StreamHandles(device, library);
  known.set(library, handles);
  return handles;
}
