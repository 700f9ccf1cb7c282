// The tables of the README: each between two comments, made from committed result files.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isExperimentResult, readResult, renderExperimentTable, renderSpeedTable } from '@ffma/bench';

/** Experiments that the README shows, in order; `ffma experiment run <name> --json <file>` writes the file. */
export const shownExperiments = ['ladder', 'confirm'].map((name) => ({ name, file: `h200-${name}.json` }));

/**
 * The result file of the speed table: of those named `h200-<date>.json`, the last by name. Undefined where there is none.
 * @param {string} folder
 */
export function newestResult(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => /^h200-\d{4}-\d\d-\d\d.*\.json$/.test(name))
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
 * @param {string} [experiment] name of the experiment that it must be of
 */
export function unfit(result, experiment) {
  if (result.interrupted) return 'It was interrupted: not all that was asked for was measured.';
  if (!result.rows.some(({ times }) => times !== undefined)) return 'It has no times.';
  const reference = result.rows.find(({ role }) => role === 'reference');
  if (reference === undefined) return 'It has no reference.';
  const bad = result.rows.find(({ asked, correctness }) => asked && correctness.status === 'failed');
  if (bad !== undefined) return `${bad.id} is wrong in it.`;
  const of = result.experiment?.name;
  if (of === experiment) return undefined;
  return `It is of ${of === undefined ? 'no experiment' : `the experiment ${of}`}, not of ${experiment ?? 'none'}.`;
}

/**
 * A page with other lines between its comments `<!-- mark -->` and `<!-- /mark -->`.
 * @param {string} page
 * @param {readonly string[]} lines none: nothing is shown
 * @param {string} [mark]
 */
export function withTable(page, lines, mark = 'speed') {
  const [BEGIN, END] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error(`The page must have the lines ${BEGIN} and ${END}, in this order.`);
  const body = lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
  return `${page.slice(0, begin)}${BEGIN}\n${body}${lines.length === 0 ? '' : '\n'}${page.slice(end)}`;
}

/**
 * The lines of a result file, or why it is not shown.
 * @param {string} folder
 * @param {string} file
 * @param {string} [experiment]
 * @returns {Promise<{ lines: string[], reason?: string }>}
 */
async function linesOf(folder, file, experiment) {
  const result = await readResult(join(folder, file));
  const reason = unfit(result, experiment);
  if (reason !== undefined) return { lines: [], reason: `results/${file} is not shown. ${reason}` };
  const render = isExperimentResult(result) ? renderExperimentTable : renderSpeedTable;
  return { lines: render(/** @type {any} */ (result), `results/${file}`) };
}

/**
 * The page with all its tables, and what could not be shown, as sentences.
 * @param {string} page
 * @param {string} folder of the result files
 */
export async function withTables(page, folder) {
  const newest = newestResult(folder);
  const tables = [
    { mark: 'speed', file: newest ?? 'h200-<date>.json', how: 'ffma bench', experiment: undefined },
    ...shownExperiments.map(({ name, file }) => ({
      mark: name,
      file,
      how: `ffma experiment run ${name}`,
      experiment: name,
    })),
  ];
  const notShown = [];
  const files = [];
  let text = page;
  for (const { mark, file, how, experiment } of tables) {
    if (!existsSync(join(folder, file))) {
      notShown.push(
        `There is no results/${file}. npx ${how} --device cuda --json results/${file} writes it.`,
      );
      text = withTable(text, [], mark);
      continue;
    }
    const { lines, reason } = await linesOf(folder, file, experiment);
    if (reason === undefined) files.push(`results/${file}`);
    else notShown.push(reason);
    text = withTable(text, lines, mark);
  }
  return { text, files, notShown };
}
