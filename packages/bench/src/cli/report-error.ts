import { CommanderError } from 'commander';
import { hasFfmaCode, sentenceOf } from '../error-sentence.js';
import { columnsOf, styleFor } from '../render/style.js';
import { wrap } from '../render/text.js';
import { RIGHT, USAGE, WRONG } from './exit-codes.js';
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
 * @returns the exit code: wrong usage, or wrong; right where commander only printed help
 */
export function reportError(error: unknown, io: Pick<Io, 'stderr' | 'env'>): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? RIGHT : USAGE;
  const style = styleFor(io.stderr, io.env);
  const debug = Boolean(io.env.FFMA_DEBUG);
  const known = hasFfmaCode(error);
  const hint = known || debug ? '' : '\nThis should not happen; FFMA_DEBUG=1 shows where it came from.';
  const said = `${sentenceOf(error)}${known ? ` (${error.code})` : ''}`;
  // Elsewhere than on a terminal an error is one line, to be searched; lines that somebody has broken stay as they are.
  const wrapped = io.stderr.isTTY === true && !said.includes('\n');
  const lines = wrapped ? wrap(`error: ${said}`, columnsOf(io.stderr)) : [`error: ${said}`];
  const text = lines.join('\n').replace('error:', style.red('error:'));
  io.stderr.write(`${text}${logOf(error)}${hint}\n`);
  if (debug && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  return known && 'usage' in error ? USAGE : WRONG;
}
