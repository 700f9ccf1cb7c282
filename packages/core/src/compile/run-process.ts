import { spawn } from 'node:child_process';
import { UnavailableError } from '../errors.js';

export interface ProcessResult {
  /** Exit code; 1 where a signal ended it, which the output then says. */
  readonly code: number;
  /** Standard output and error, in the order in which they arrived. */
  readonly output: string;
}

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program to its end without a shell. @throws UnavailableError where it cannot be started */
export function runProcess(
  path: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      cwd: options.cwd,
      env: { ...(options.env ?? process.env) },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const chunks: Uint8Array[] = [];
    child.stdout.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    child.on('error', (error) => {
      reject(
        new UnavailableError(`${path} could not be started: ${error.message}.`, { call: path, cause: error }),
      );
    });
    child.on('close', (code, signal) => {
      const output = Buffer.concat(chunks).toString('utf8');
      resolve(
        signal === null
          ? { code: code ?? 1, output }
          : { code: 1, output: `${output}\n${path} was ended by ${signal}.` },
      );
    });
  });
}
