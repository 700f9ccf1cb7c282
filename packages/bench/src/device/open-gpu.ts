import { type Device, UnavailableError } from '@ffma/core';
import { hasFfmaCode } from '../error-sentence.js';
import { type DeviceKind, openBenchDevice } from './open-bench-device.js';

/** An error's message without its remedy. */
function reasonOf({ message, remedy }: Error & { readonly remedy?: string | undefined }): string {
  return remedy !== undefined && message.endsWith(remedy)
    ? message.slice(0, -remedy.length).trimEnd()
    : message;
}

/**
 * Opens a GPU for work that cannot be emulated, so that the usual remedy, to emulate it, is none.
 * @param what a sentence: `A profile is taken on an NVIDIA GPU.`
 * @param remedy what to do without one
 * @param kind tests have another
 * @throws UnavailableError
 */
export async function openGpu(what: string, remedy: string, kind: DeviceKind = 'cuda'): Promise<Device> {
  return await openBenchDevice({ kind }).catch((error: unknown) => {
    if (!hasFfmaCode(error) || error.code !== 'FFMA_UNAVAILABLE') throw error;
    throw new UnavailableError(`${what} ${reasonOf(error)}`, { remedy, cause: error });
  });
}
