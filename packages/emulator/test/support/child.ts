import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ChildResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds from the first output on stdout to the end; undefined where there was none. */
  readonly afterOutputMs: number | undefined;
}

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Runs an ES module as a process of its own; the package is imported by its name. */
export function runChild(source: string, env: Readonly<Record<string, string>> = {}): Promise<ChildResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      cwd: packageRoot,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    let firstOutput: number | undefined;
    child.stdout.on('data', (chunk) => {
      firstOutput ??= performance.now();
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const afterOutputMs = firstOutput === undefined ? undefined : performance.now() - firstOutput;
      resolve({ code, stdout, stderr, afterOutputMs });
    });
  });
}
