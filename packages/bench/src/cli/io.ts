import type { Terminal } from '../render/style.js';
import { columnsOf, type Style, styleFor } from '../render/style.js';
import { INTERRUPTED } from './exit-codes.js';

/** A terminal, file or pipe that text is written to. */
export interface Output extends Terminal {
  write(text: string): unknown;
}

/** What a command may touch of the process. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Where kernels are looked for: `FFMA_ROOT`, else the folder where the process runs. */
  readonly cwd: string;
  /** Set by a command whose work was done and found something wrong. */
  exitCode: number;
  /** Set where a kernel was left running, which cannot be stopped: the process ends without waiting for it. */
  leftRunning?: boolean;
  /**
   * Calls `handler` on Ctrl-C, and on the signal by which schedulers end a job, instead of ending the process, until
   * what it returns is disposed.
   */
  onInterrupt(handler: () => void): Disposable;
}

/** How `ffma` is called here: a bundle's launcher says so, since there is no npx on its host. */
export const commandOf = ({ env }: Pick<Io, 'env'>): string => env.FFMA_COMMAND || 'npx ffma';

export function processIo(): Io {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.env.FFMA_ROOT || process.cwd(),
    exitCode: 0,
    onInterrupt(handler) {
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, handler);
      return {
        [Symbol.dispose]: () => {
          for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, handler);
        },
      };
    },
  };
}

/**
 * Turns the first Ctrl-C into a signal, so that work can be ended in an orderly way; the second ends the process.
 * @param say what happens now, for a person
 */
export function interruptible(
  io: Io,
  say: (text: string) => void,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const listening = io.onInterrupt(() => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    say('Interrupted: finishing what is being measured. Ctrl-C again ends at once.');
    controller.abort();
  });
  return { signal: controller.signal, [Symbol.dispose]: () => listening[Symbol.dispose]() };
}

export function print(io: Io, lines: readonly string[]): void {
  if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
}

export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** How standard output is to be written: colours and width. */
export function look(io: Io): { style: Style; width: number } {
  return { style: styleFor(io.stdout, io.env), width: columnsOf(io.stdout) };
}
