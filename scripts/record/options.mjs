import { parseArgs } from 'node:util';
import { recipes } from './recipes.mjs';

const names = recipes.map(({ name }) => name);
const width = Math.max(...names.map((name) => name.length));

export const usage = `Usage: record [names...] [--out <folder>] [--limit <seconds>] [--list]

Measures what the result files that the README and the docs quote hold, on the GPU of this machine, and writes
them as <gpu>-<name>.json. What is there already is gone on from. All are recorded if none is named:

${recipes.map(({ name, about, seconds }) => `  ${name.padEnd(width)}   ${about} (about ${seconds} s)`).join('\n')}

  --out <folder>      where they are written (default: results)
  --limit <seconds>   for all of them together; what is cut off can be gone on from
  --list              say what would be run, and run nothing
`;

/**
 * @typedef {{ chosen: readonly import('./recipes.mjs').Recipe[], out: string, limit: number, list: boolean }} RecordOptions
 */

/**
 * Options of `npm run record`; a text to show and the exit code where nothing is to be recorded.
 * @param {readonly string[]} args
 * @returns {RecordOptions | { text: string, code: 0 | 2 }}
 */
export function recordOptions(args) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string', default: 'results' },
        limit: { type: 'string', default: 'Infinity' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { text: usage, code: 0 };
    const odd = positionals.find((name) => !names.includes(name));
    if (odd !== undefined)
      throw new Error(`There is nothing to record that is called '${odd}'; there is ${names.join(', ')}.`);
    const limit = Number(values.limit);
    if (!(limit > 0)) throw new Error(`--limit is a number of seconds over 0, but is '${values.limit}'.`);
    const chosen = recipes.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    return { chosen, out: values.out, limit, list: values.list };
  } catch (error) {
    return { text: `${error instanceof Error ? error.message : error}\n\n${usage}`, code: 2 };
  }
}

/**
 * Names a GPU as files do: `NVIDIA H200` is `h200`, `NVIDIA GeForce RTX 4090` is `geforce-rtx-4090`.
 * @param {string} gpu
 */
export function gpuSlug(gpu) {
  return gpu
    .replace(/^NVIDIA\s+/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
