import { spawn } from 'node:child_process';
import { UnavailableError } from '@ffma/core';

export interface ToolResult {
  /** Undefined where a signal ended it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  /** Standard output. */
  readonly stdout: string;
  /** Standard output and error, as they came. */
  readonly output: string;
  /** True where it was ended because its time was over. */
  readonly timedOut: boolean;
}

export interface ToolOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs?: number | undefined;
  /** Ends the program, and what it started. */
  readonly abort?: AbortSignal | undefined;
}

const GRACE_MS = 3000;

/**
 * Runs a program to its end without a shell, in a process group of its own, so that what it starts ends with it.
 * @throws UnavailableError where it cannot be started
 */
export function runTool(
  path: string,
  args: readonly string[],
  { env, cwd, timeoutMs, abort }: ToolOptions = {},
): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const all: Buffer[] = [];
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      all.push(chunk);
      out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => all.push(chunk));
    const kill = (signal: NodeJS.Signals) => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It is gone already.
      }
    };
    let timedOut = false;
    let forced: NodeJS.Timeout | undefined;
    const end = () => {
      kill('SIGTERM');
      forced = setTimeout(() => kill('SIGKILL'), GRACE_MS);
    };
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            end();
          }, timeoutMs);
    abort?.addEventListener('abort', end, { once: true });
    if (abort?.aborted === true) end();
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(forced);
      abort?.removeEventListener('abort', end);
    };
    child.on('error', (cause) => {
      settle();
      reject(new UnavailableError(`${path} could not be started: ${cause.message}.`, { call: path, cause }));
    });
    child.on('close', (code, signal) => {
      settle();
      resolve({
        code: code ?? undefined,
        signal: signal ?? undefined,
        stdout: Buffer.concat(out).toString('utf8'),
        output: Buffer.concat(all).toString('utf8'),
        timedOut,
      });
    });
  });
}
