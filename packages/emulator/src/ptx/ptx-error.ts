import { CompileError } from '@ffma/core';

/** Where a PTX error lies: the module's name as given to `parsePtx`, and the 1-based line of its text. */
export interface PtxPlace {
  readonly module: string;
  readonly line: number;
}

/**
 * An error about PTX text, code `FFMA_COMPILE`. The message starts with `PTX line N:` and ends with the module's
 * name; `details` holds `module`, `line` and whatever else is given.
 */
export function ptxError(
  place: PtxPlace,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  remedy?: string,
): CompileError {
  return new CompileError(`PTX line ${place.line}: ${message} (module '${place.module}').`, {
    details: { module: place.module, line: place.line, ...details },
    ...(remedy === undefined ? {} : { remedy }),
  });
}
