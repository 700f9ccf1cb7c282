import { sameSize, sizeLabel } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import { type ExperimentResult, fastestOf, recordRowsAt, sizesIn } from '../experiment/row-figures.js';
import type { ExperimentRecordRow } from '../result/experiment-schema.js';
import { type Row, renderMarkdown } from './table.js';
import { hang } from './text.js';
import { mathModes, microseconds, rate, tenths } from './times.js';

/** Columns of a page. */
const WIDTH = 120;

/** Marks a figure of a kernel that has the sizes compiled in. */
const SIZED = '†';

/** `97 fixed`: the published speed of a row at a size, in percent of the reference's, without its unit. */
function publishedShare({ published }: ExperimentRecordRow, size: Size): string | undefined {
  const found = published.find((one) => one.unit === '%' && sameSize(one.size, size));
  if (found === undefined) return undefined;
  return found.kind === 'fixed configuration' ? `${found.value} fixed` : `${found.value}`;
}

/** `98.2 % (97)`: ours beside the published one; the time of the reference. */
function cell(row: ExperimentRecordRow, result: ExperimentResult, size: Size): string {
  if (!recordRowsAt(result.experiment, size).includes(row)) return '';
  const { times, role, specialised } = fastestOf(row, result.rows, size) ?? {};
  if (role === 'reference' && times !== undefined) {
    return `${microseconds(times.medianUs)} µs, ${rate(times.tflops)} TFLOP/s`;
  }
  const share = publishedShare(row, size);
  const beside = share === undefined ? '' : ` (${share})`;
  if (times?.ratio === undefined) return `–${beside}`;
  return `${tenths(times.ratio.median)} %${specialised ? SIZED : ''}${beside}`;
}

/** What the table's figures are, as one paragraph. */
function caption(result: ExperimentResult, link: string, cells: string): string {
  const { device, protocol, createdAt, rows, experiment } = result;
  const { rounds, launches, l2 } = protocol.parameters ?? {};
  const reference = rows.find(({ role }) => role === 'reference');
  const library = reference?.artefact === undefined ? '' : ` (${reference.artefact.compiler})`;
  const driver = device.details.driver === undefined ? '' : `, driver ${device.details.driver}`;
  const shown = experiment.rows.flatMap(({ name, published }) =>
    published.filter(({ unit }) => unit === '%').map((figure) => ({ name, ...figure })),
  );
  const gpus = [...new Set(shown.map(({ gpu }) => gpu))].join(', ');
  const remarks = shown.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`]));
  const noted = remarks.length === 0 ? '' : ` (${[...new Set(remarks)].join('; ')})`;
  const several = experiment.rows.some(({ kernels }) => kernels.length > 1);
  return [
    `Percent of ${reference?.kernel ?? 'the reference'}${library}${several ? ', of the fastest variant of each row' : ''}.`,
    shown.length === 0
      ? ''
      : `In parentheses what ${experiment.source.title} has on ${gpus}, the best of a sweep unless it is marked fixed${noted}.`,
    cells.includes(SIZED) ? `${SIZED} with the sizes compiled in.` : '',
    `Median of ${rounds} alternating rounds, each the median of ${launches} launches, L2 ${l2}, ${mathModes(rows)}.`,
    `${device.name}${driver}, ${createdAt.slice(0, 10)}; [all figures](${link}).`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/**
 * An experiment's speeds in one Markdown table: a line a row, a column a size, ours beside the published ones.
 * @param link path or address of the result file
 */
export function renderExperimentTable(result: ExperimentResult, link: string): string[] {
  const { name, rows: all } = result.experiment;
  const sizes = sizesIn(result);
  const described = all.some(({ about }) => about !== undefined);
  const rows = all.map(
    (row): Row => ({
      cells: [
        row.name,
        ...(described ? [row.about ?? ''] : []),
        ...sizes.map((size) => cell(row, result, size)),
      ],
    }),
  );
  const columns = [
    { title: name },
    ...(described ? [{ title: 'what it is' }] : []),
    ...sizes.map((size) => ({ title: sizeLabel(size), align: 'right' as const })),
  ];
  const table = renderMarkdown({ columns, rows });
  return [...table, '', ...hang('', caption(result, link, table.join('\n')), WIDTH)];
}
