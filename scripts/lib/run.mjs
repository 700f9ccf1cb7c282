import { spawn } from 'node:child_process';

/** What was sent by the terminal or by a caller to stop: kept so that the exit code says so. */
const INTERRUPTED = 130;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let interrupts = 0;

function interrupt() {
  interrupts++;
  for (const child of running) child.kill(interrupts === 1 ? 'SIGINT' : 'SIGKILL');
  if (process.stdout.isTTY) process.stdout.write('\n');
  if (running.size === 0) process.exit(INTERRUPTED);
}

process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

/**
 * Runs a program to its end. Ctrl-C is passed on once politely, then by force, and then ends this process.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'capture' | 'inherit' }} [options]
 *   `capture` (the default) keeps stdout and stderr, in the order they came; `inherit` shows them at once.
 * @returns {Promise<{ code: number, output: string }>} code 127 where the program cannot be started
 */
export function run(program, args, options = {}) {
  const inherit = options.output === 'inherit';
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    /** @param {string} text */
    const keep = (text) => {
      output += text;
    };
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    /** @param {number} code */
    const done = (code) => {
      running.delete(child);
      if (interrupts > 0) process.exit(INTERRUPTED);
      resolve({ code, output });
    };
    child.on('error', (error) => {
      output += `${program}: ${error.message}\n`;
      done(127);
    });
    child.on('close', (code, signal) => done(code ?? (signal === null ? 1 : INTERRUPTED)));
  });
}
