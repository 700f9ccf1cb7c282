import type { Device, Stream } from '@ffma/core';

/** What a CUDA device and its streams have for libraries: a raw CUcontext, a raw CUstream. */
interface WithHandle {
  readonly nativeHandle: bigint;
}

/** The raw CUcontext of a CUDA device; undefined for a device of another kind. */
export function contextHandle(device: Device): bigint | undefined {
  return device.kind === 'cuda' ? (device as Device & Partial<WithHandle>).nativeHandle : undefined;
}

/** The raw CUstream of a stream on a CUDA device. */
export function streamHandle(stream: Stream): bigint {
  return (stream as Stream & WithHandle).nativeHandle;
}
