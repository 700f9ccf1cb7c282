// What was the fastest at each size of a result: a table of docs/experiments.md.
import { sizeLabel } from '@ffma/core';

/** The result that it is made from, relative to the root. */
export const WINNERS = 'results/h200-confirm.json';

/** @typedef {import('@ffma/bench').BenchResult} BenchResult @typedef {BenchResult['rows'][number]} Row */

/** @param {readonly Row[]} rows @returns {Row | undefined} */
const fastest = (rows) =>
  rows
    .filter(({ times }) => times !== undefined)
    .sort((x, y) => Number(x.times?.medianUs) - Number(y.times?.medianUs))[0];

/**
 * A row as one cell, without the reference's sizes in its id: they are those of the line.
 * @param {Row | undefined} row
 */
function cell(row) {
  if (row?.times === undefined) return '–';
  const { medianUs, ratio } = row.times;
  const share = ratio === undefined ? '' : `${(100 * ratio.median).toFixed(1)} %, `;
  return `\`${row.id}\`: ${share}${medianUs.toFixed(1)} µs`;
}

/**
 * Lines of a Markdown table: at each size the fastest that takes any size, the fastest that has the sizes compiled in,
 * and the reference.
 * @param {BenchResult} result
 */
export function winnerLines({ rows }) {
  const sizes = [...new Map(rows.map(({ problem }) => [sizeLabel(problem), problem])).keys()];
  const lines = sizes.map((size) => {
    const here = rows.filter(({ problem }) => sizeLabel(problem) === size);
    const kernels = here.filter(({ role }) => role !== 'reference');
    const cells = [
      fastest(kernels.filter(({ specialised }) => specialised !== true)),
      fastest(kernels.filter(({ specialised }) => specialised === true)),
      fastest(here.filter(({ role }) => role === 'reference')),
    ];
    return `| ${[size, ...cells.map(cell)].join(' | ')} |`;
  });
  return [
    '| size | fastest for any size | fastest with the size compiled in | reference |',
    '|---|---|---|---|',
    ...lines,
  ];
}
