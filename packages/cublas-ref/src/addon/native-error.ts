import { type Device, errorFromJson, FfmaError, type FfmaErrorCode } from '@ffma/core';

interface NativeError extends Error {
  readonly code: FfmaErrorCode;
  readonly native?: string;
  readonly call?: string;
}

/**
 * The error that a failure of the addon stands for. Where the device was lost, it is the error that took it down,
 * whatever the library made of it.
 */
export function asFfmaError(error: unknown, device?: Device): unknown {
  if (device?.lost !== undefined) return device.lost;
  if (error instanceof FfmaError || !(error instanceof Error)) return error;
  const { code, native, call, message } = error as NativeError;
  if (typeof code !== 'string' || !code.startsWith('FFMA_')) return error;
  return errorFromJson({
    name: error.name,
    code,
    message,
    ...(native === undefined ? {} : { native }),
    ...(call === undefined ? {} : { call }),
  });
}
