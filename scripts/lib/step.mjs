import { bold, dim, green, red, seconds, yellow } from './terminal.mjs';

const NAME_COLUMNS = 58;

export const MARKS = { running: '…', passed: green('✓'), failed: red('✗'), skipped: yellow('↓') };

/**
 * `  ✓ what was done            1.2 s`, 71 columns; a long name loses its beginning.
 * @param {string} mark
 * @param {string} name
 * @param {number} ms
 */
export function line(mark, name, ms) {
  const shown = name.length > NAME_COLUMNS ? `…${name.slice(1 - NAME_COLUMNS)}` : name.padEnd(NAME_COLUMNS);
  return `  ${mark} ${shown} ${dim(seconds(ms).padStart(9))}`;
}

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
  const show = () => process.stdout.write(`\r${line(MARKS.running, name, performance.now() - start)}`);
  const timer = live ? setInterval(show, 200) : undefined;
  if (live) show();
  const { code, output, note } = await work();
  clearInterval(timer);
  const title = note === undefined ? name : `${name} (${note})`;
  const ok = code === 0;
  process.stdout.write(
    `${live ? '\r' : ''}${line(ok ? MARKS.passed : MARKS.failed, title, performance.now() - start)}\n`,
  );
  if (!ok)
    process.stdout.write(`\n${output.trimEnd()}\n\n${bold(red(`${name} failed (exit code ${code}).`))}\n`);
  return ok;
}
