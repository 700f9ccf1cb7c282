import type { Device, Stream } from '@ffma/core';

/** What a CUDA device and its streams have for libraries: a raw CUcontext, a raw CUstream. */
interface WithHandle {
  readonly nativeHandle: bigint;
}

/** What a CUDA device has for libraries that work in its context. */
interface WithClosing {
  onClose(release: () => void): Disposable;
}

/** The raw CUcontext of a CUDA device; undefined for a device of another kind. */
export function contextHandle(device: Device): bigint | undefined {
  return device.kind === 'cuda' ? (device as Device & Partial<WithHandle>).nativeHandle : undefined;
}

/** Calls `release` when a CUDA device is closed, while its streams are still there. */
export function onClose(device: Device, release: () => void): void {
  (device as Device & WithClosing).onClose(release);
}

/** The raw CUstream of a stream on a CUDA device. */
export function streamHandle(stream: Stream): bigint {
  return (stream as Stream & WithHandle).nativeHandle;
}
