// The speed table of the README: between two comments, made from a committed result file.
import { readdirSync } from 'node:fs';

const BEGIN = '<!-- speed -->';
const END = '<!-- /speed -->';

/**
 * The result file that the README shows: of those named `h200-….json`, the last by name, so date them.
 * Undefined where there is none.
 * @param {string} folder
 */
export function newestResult(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => /^h200-.*\.json$/.test(name))
      .sort()
      .at(-1);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Why a result is not to be published; undefined where it is.
 * @param {import('@ffma/bench').BenchResult} result
 */
export function unfit(result) {
  if (result.interrupted) return 'It was interrupted: not all that was asked for was measured.';
  if (!result.rows.some(({ times }) => times !== undefined)) return 'It has no times.';
  const reference = result.rows.find(({ role }) => role === 'reference');
  if (reference === undefined) return 'It has no reference.';
  const bad = result.rows.find(({ asked, correctness }) => asked && correctness.status === 'failed');
  return bad === undefined ? undefined : `${bad.id} is wrong in it.`;
}

/**
 * A page with other lines between its comments.
 * @param {string} page
 * @param {readonly string[]} lines none: nothing is shown
 */
export function withTable(page, lines) {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error(`The page must have the lines ${BEGIN} and ${END}, in this order.`);
  const body = lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
  return `${page.slice(0, begin)}${BEGIN}\n${body}${lines.length === 0 ? '' : '\n'}${page.slice(end)}`;
}
