import { existsSync } from 'node:fs';
import type { LeftOut } from '../discover/usable.js';
import { leftOutLines } from '../render/list.js';
import type { Style } from '../render/style.js';
import { checkWritable, writeAtomically } from '../result/output.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { readResult, stringifyResult } from '../result/store.js';
import type { OnStep } from '../step.js';
import { UsageError } from '../usage-error.js';
import { INTERRUPTED, RIGHT, WRONG } from './exit-codes.js';
import { type Io, interruptible, look, print } from './io.js';
import { progressOn } from './progress.js';

/** Where the result of a measuring command goes. */
export interface MeasuringOptions {
  /** A file, or `-` for standard output. */
  readonly json?: string;
  readonly resume?: true;
}

/** What the work of a measuring command is given. */
export interface Measuring {
  readonly earlier: BenchResult | undefined;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
  /** Writes what is there so far. */
  readonly onSize: (soFar: BenchResult) => Promise<void>;
  readonly onLeftOut: (leftOut: readonly LeftOut[]) => void;
}

/** The file to write, after it was tried out, and the result in it to go on from. @throws UsageError, ArgumentError */
async function outputOf({ json, resume }: MeasuringOptions) {
  const file = json === '-' ? undefined : json;
  if (resume !== undefined && file === undefined)
    throw new UsageError('--resume goes on from the file of --json, but there is none.');
  if (file === undefined) return { file, regular: false, earlier: undefined };
  const { regular } = await checkWritable(file);
  if (resume !== undefined && !regular)
    throw new UsageError(`--resume goes on from a file, but ${file} is a pipe or a device.`);
  const earlier = resume !== undefined && existsSync(file) ? await readResult(file) : undefined;
  return { file, regular, earlier };
}

/**
 * Runs a command that measures: with progress, with Ctrl-C that keeps what was measured, and with a file that is
 * written after each size.
 * @returns the result, for the exit code
 */
export async function measuring<R extends BenchResult>(
  io: Io,
  options: MeasuringOptions,
  work: (measuring: Measuring) => Promise<R>,
  render: (result: R, style: Style, width: number) => readonly string[],
): Promise<R> {
  const { json } = options;
  const { file, regular, earlier } = await outputOf(options);
  using progress = progressOn(io.stderr);
  const say = (lines: readonly string[]) => {
    progress.clear();
    io.stderr.write(`${lines.join('\n')}\n`);
  };
  using interrupt = interruptible(io, (text) => say([text]));
  // A full disk must not take what was measured with it: the table is still shown.
  let unwritten: unknown;
  const keep = async (soFar: BenchResult) => {
    if (file === undefined) return;
    unwritten = await writeAtomically(file, stringifyResult(soFar)).then(
      () => undefined,
      (error: unknown) => error,
    );
  };
  const result = await work({
    earlier,
    signal: interrupt.signal,
    onStep: progress.show,
    // A pipe gets the result once, when it is whole.
    onSize: async (soFar) => (regular ? keep(soFar) : undefined),
    onLeftOut: (leftOut) => say(leftOutLines(leftOut, look(io).width)),
  });
  progress.clear();
  await keep(result);
  const { style, width } = look(io);
  if (json === '-') io.stdout.write(stringifyResult(result));
  else print(io, render(result, style, width));
  if (unwritten !== undefined) throw unwritten;
  return result;
}

/**
 * 0 where everything that was asked for was right and was measured.
 * @param wanted whether the reference was asked for, so that it must be there
 */
export function exitCodeOf({ rows, interrupted }: BenchResult, wanted: boolean): number {
  if (interrupted) return INTERRUPTED;
  // A reference that nobody asked for may be missing, but what it does must be right.
  const counts = ({ asked, role, correctness: { gates } }: ResultRow) =>
    asked || (role === 'reference' && (wanted || gates.length > 0));
  const asked = rows.filter(counts);
  const failed = asked.some(({ correctness }) => correctness.status === 'failed');
  const passed = asked.some(({ correctness }) => correctness.status === 'passed');
  const invalid = asked.some(({ unranked, times }) => unranked !== undefined && times === undefined);
  return failed || invalid || !passed ? WRONG : RIGHT;
}
