import { spawn } from 'node:child_process';

/** What a shell says of a command that was ended by Ctrl-C, and by SIGTERM. */
const ENDED = { SIGINT: 130, SIGTERM: 143 };
/** Time that a program has to end when it is asked to; then it is made to. */
const PATIENCE_MS = 5000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** @type {keyof typeof ENDED | undefined} */
let ended;

/**
 * Signals a program and all that it started: package managers and task runners do not pass signals on.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All of the group has ended.
  }
}

/** @param {NodeJS.Signals} signal */
function signalAll(signal) {
  for (const child of running) signalGroup(child, signal);
}

/** @param {keyof typeof ENDED} signal */
function end(signal) {
  signalAll(ended === undefined ? signal : 'SIGKILL');
  ended ??= signal;
  if (process.stdout.isTTY) process.stdout.write('\n');
  if (running.size === 0) process.exit(ENDED[ended]);
  setTimeout(() => signalAll('SIGKILL'), PATIENCE_MS).unref();
}

process.on('SIGINT', () => end('SIGINT'));
process.on('SIGTERM', () => end('SIGTERM'));
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== 'EPIPE') throw error;
  // Whoever read the output has seen enough (`npm start | head`).
  signalAll('SIGTERM');
  process.exit();
});

/**
 * Runs a program to its end. Ctrl-C and SIGTERM are passed on to all that it started, once politely, then by force,
 * and then end this process.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: 'capture' | 'inherit' }} [options]
 *   `capture` (the default) keeps stdout and stderr, in the order they came; `inherit` shows them at once.
 * @returns {Promise<{ code: number, output: string }>} code 127 where the program cannot be started
 */
export function run(program, args, options = {}) {
  const shown = options.output === 'inherit' ? 'inherit' : 'pipe';
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', shown, shown],
      // A group of its own, so that all of it can be signalled.
      detached: process.platform !== 'win32',
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
      if (ended !== undefined) {
        signalAll('SIGKILL');
        process.exit(ENDED[ended]);
      }
      running.delete(child);
      resolve({ code, output });
    };
    child.on('error', (error) => {
      output += `${program}: ${error.message}\n`;
      done(127);
    });
    child.on('close', (code, signal) => done(code ?? (signal === null ? 1 : ENDED.SIGINT)));
  });
}
