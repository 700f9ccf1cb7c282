import { CommanderError } from 'commander';
import { hasFfmaCode, sentenceOf } from '../error-sentence.js';
import { styleFor } from '../render/style.js';
import { UsageError } from '../usage-error.js';
import type { Io } from './io.js';

/** The compiler's whole output, where an error carries it. */
function logOf(error: unknown): string {
  const log = (error as { details?: { log?: unknown } }).details?.log;
  return typeof log === 'string' && log !== '' && !sentenceOf(error).includes(log)
    ? `\n${log.trimEnd()}`
    : '';
}

/**
 * Writes an error for a person, to standard error; with `FFMA_DEBUG` set, its stack too.
 * @returns the exit code: 2 for wrong usage, else 1 (0 where commander only printed help)
 */
export function reportError(error: unknown, io: Pick<Io, 'stderr' | 'env'>): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const style = styleFor(io.stderr, io.env);
  const debug = Boolean(io.env.FFMA_DEBUG);
  const known = hasFfmaCode(error);
  const hint = known || debug ? '' : '\nThis should not happen; FFMA_DEBUG=1 shows where it came from.';
  const code = known ? style.dim(` (${error.code})`) : '';
  io.stderr.write(`${style.red('error:')} ${sentenceOf(error)}${code}${logOf(error)}${hint}\n`);
  if (debug && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  return error instanceof UsageError ? 2 : 1;
}
