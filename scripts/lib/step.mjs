import { bold, dim, green, red, seconds } from './terminal.mjs';

const NAME_COLUMNS = 58;

/** @param {string} mark @param {string} name @param {number} ms */
const line = (mark, name, ms) => `  ${mark} ${name.padEnd(NAME_COLUMNS)} ${dim(seconds(ms).padStart(9))}`;

/**
 * Runs one step and shows one line for it, with its seconds; its output only if it fails.
 * @param {string} name what it does, up to 58 columns
 * @param {() => Promise<{ code: number, output: string, note?: string }>} work
 *   `note` is put after the name, e.g. that there was nothing to do
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function step(name, work) {
  const start = performance.now();
  const live = process.stdout.isTTY === true;
  const show = () => process.stdout.write(`\r${line('…', name, performance.now() - start)}`);
  const timer = live ? setInterval(show, 200) : undefined;
  if (live) show();
  const { code, output, note } = await work();
  clearInterval(timer);
  const title = note === undefined ? name : `${name} (${note})`;
  const ok = code === 0;
  process.stdout.write(
    `${live ? '\r' : ''}${line(ok ? green('✓') : red('✗'), title, performance.now() - start)}\n`,
  );
  if (!ok)
    process.stdout.write(`\n${output.trimEnd()}\n\n${bold(red(`${name} failed (exit code ${code}).`))}\n`);
  return ok;
}
