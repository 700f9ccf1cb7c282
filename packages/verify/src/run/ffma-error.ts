import type { FfmaError, FfmaErrorJson } from '@ffma/core';

/** True for errors of any copy of core: asked by shape, because a kernel package may bring its own. */
export function isFfmaError(error: unknown): error is FfmaError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('FFMA_')
  );
}

export function ffmaErrorJson(error: FfmaError): FfmaErrorJson {
  return typeof error.toJSON === 'function'
    ? error.toJSON()
    : { name: error.name, code: error.code, message: error.message };
}
