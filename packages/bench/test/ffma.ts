import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/ffma.js', import.meta.url));

/** The workspace's root, whose package.json depends on the kernel packages. */
export const workspace = fileURLToPath(new URL('../../../', import.meta.url));

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built `ffma` command in a process of its own. */
export function ffma(
  argv: readonly string[],
  cwd = workspace,
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 2 ** 26 };
    execFile(process.execPath, [bin, ...argv], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** The same, with a signal sent once a condition holds. */
export function ffmaUntil(
  argv: readonly string[],
  ready: () => boolean,
  signal: NodeJS.Signals,
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...argv], {
      cwd: workspace,
      env: { ...process.env, NO_COLOR: '1' },
    });
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (part: string) => {
        text[name] += part;
      });
    const timer = setInterval(() => {
      if (!ready()) return;
      clearInterval(timer);
      child.kill(signal);
    }, 20);
    child.on('close', (code) => {
      clearInterval(timer);
      resolve({ code: code ?? -1, ...text });
    });
  });
}
