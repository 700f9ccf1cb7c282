// Records the result files that the README and the docs quote, on this machine's GPU: npm run record, or bin/record in
// a bundle. See docs/gpu-host.md.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDevice } from '@ffma/core';
import { gpuSlug, recordOptions } from './record/options.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What a command has to write what it measured and to end, after it was asked to. */
const PATIENCE_MS = 15_000;

const options = recordOptions(process.argv.slice(2));
if ('text' in options) {
  (options.code === 0 ? process.stdout : process.stderr).write(options.text);
  process.exit(options.code);
}

/** Name of the GPU; the reason why there is none ends the process. */
async function gpu() {
  try {
    const device = await openDevice('cuda');
    device.close();
    return device.name;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

/**
 * Runs `ffma`; asks it to end when the time is over, as Ctrl-C does, and later makes it.
 * @param {readonly string[]} args
 * @param {number} seconds
 * @returns {Promise<number>} its exit code
 */
function ffma(args, seconds) {
  const program = join(root, 'node_modules/@ffma/bench/bin/ffma.js');
  const env = { FFMA_ROOT: root, ...process.env };
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit', env });
  // A timer cannot be set to more than 24 days.
  const wait = Math.min(seconds * 1000, 2 ** 31 - 1 - PATIENCE_MS);
  const timers = [
    setTimeout(() => child.kill('SIGINT'), wait),
    setTimeout(() => child.kill('SIGKILL'), wait + PATIENCE_MS),
  ];
  // Ctrl-C reaches the child by itself, which then says what it kept.
  process.once('SIGINT', () => {});
  return new Promise((done) => {
    const end = (/** @type {number | null} */ code) => {
      timers.forEach(clearTimeout);
      done(code ?? 1);
    };
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      end(127);
    });
    child.on('close', end);
  });
}

const { chosen, limit } = options;
const out = resolve(options.out);
const prefix = options.list ? '<gpu>' : gpuSlug(await gpu());
const began = performance.now();
const passed = () => (performance.now() - began) / 1000;
let missing = 0;
/** @param {string} name */
const fileOf = (name) => join(out, `${prefix}-${name}.json`);
if (!options.list) mkdirSync(out, { recursive: true });
for (const { name, args: pattern, resumes } of chosen) {
  const file = fileOf(name);
  const args = pattern.map((arg) => arg.replace(/^\{(.*)\}$/, (_, other) => fileOf(other)));
  process.stdout.write(`\n== ${name}: ffma ${args.join(' ')} --json ${file}\n`);
  if (options.list) continue;
  const left = limit - passed();
  const code = left > 0 ? await ffma([...args, '--json', file, ...(resumes ? ['--resume'] : [])], left) : 130;
  if (code !== 0) missing++;
  const state =
    code === 0 ? 'whole' : code === 130 ? 'not whole: record again to go on' : `exit code ${code}`;
  process.stdout.write(`== ${name}: ${state}, ${passed().toFixed(0)} s in all\n`);
  // Stopped by its user, not by the limit.
  if (code === 130 && passed() < limit) process.exit(130);
}
process.exit(missing === 0 ? 0 : 1);
