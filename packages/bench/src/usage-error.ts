import { ArgumentError } from '@ffma/core';

/** What was asked for cannot be understood or does not exist; the `ffma` command exits with 2. */
export class UsageError extends ArgumentError {
  /** Tells it from other errors by its shape, so that the command need not load core to ask. */
  readonly usage = true;
}
