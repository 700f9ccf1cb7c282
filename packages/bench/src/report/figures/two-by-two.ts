import { asChange, asMicroseconds, type MeasuredSize, sameSize } from '@ffma/core';
import { type ExperimentResult, measuredSizes } from '../../experiment/row-figures.js';
import { publishedChange } from '../../render/published.js';
import type { PublishedRecord } from '../../result/experiment-schema.js';
import type { Grid, GridCell } from '../charts/grids.js';
import { slug } from '../ids.js';
import type { Figure } from '../model.js';
import type { DeclaredChart } from './declared-chart.js';

type Declared = Extract<DeclaredChart, { kind: 'two-by-two' }>;

const places = [
  { key: 'neither', row: 0, column: 0 },
  { key: 'second', row: 0, column: 1 },
  { key: 'first', row: 1, column: 0 },
  { key: 'both', row: 1, column: 1 },
] as const;

const endsOf = ({ off, on }: Declared['changes'][0]) => [off, on] as const;

/** The published time of a row at a size, and how it stands to that of the grid's first cell. */
function publishedText(
  { experiment: { rows } }: ExperimentResult,
  own: string,
  base: string,
  at: MeasuredSize,
) {
  const isTime = (one: PublishedRecord) => one.unit === 'us' && sameSize(one.size, at.size);
  const found = rows.find(({ name }) => name === own)?.published.find(isTime);
  if (found === undefined) return undefined;
  const change = own === base ? undefined : publishedChange(rows, own, base, at.size);
  return `${found.gpu}: ${asMicroseconds(found.value)}${change === undefined ? '' : `, ${change}`}`;
}

function gridOf(result: ExperimentResult, { rows }: Declared, at: MeasuredSize): Grid {
  const times = places.map(({ key }) => at.us(rows[key]));
  return {
    title: at.label,
    cells: places.map(({ key, row, column }, i): GridCell => {
      const own = rows[key];
      const change = key === 'neither' ? 0 : at.change(own, rows.neither);
      return {
        row,
        column,
        text: asMicroseconds(times[i] as number),
        change: key === 'neither' ? undefined : asChange(change),
        // What the eye is to see is what is said in words, too.
        sign: Math.abs(change) < 0.001 ? 0 : change,
        published: publishedText(result, own, rows.neither, at),
        best: times[i] === Math.min(...times),
      };
    }),
  };
}

/** Two changes alone and together, at every size that has all four; undefined where none has. */
export function twoByTwoFigure(id: string, result: ExperimentResult, chart: Declared): Figure | undefined {
  const sizes = measuredSizes(result).filter((at) => places.every(({ key }) => at.has(chart.rows[key])));
  if (sizes.length === 0) return undefined;
  const [first, second] = chart.changes.map(({ on }) => on) as [string, string];
  const grids = sizes.map((at) => gridOf(result, chart, at));
  const said = sizes.map((at) => {
    const part = (key: 'first' | 'second' | 'both') =>
      asChange(at.change(chart.rows[key], chart.rows.neither));
    return `at ${at.label} ${first} alone is ${part('first')}, ${second} alone ${part('second')}, both ${part('both')}`;
  });
  const names = { neither: 'neither', first, second, both: `${first} and ${second}` };
  return {
    id: `${id}-two-by-two-${slug(chart.about)}`,
    title: `${first} and ${second}, alone and together, ${chart.about}`,
    says: `Beside neither of them: ${said.join('; ')}.`,
    chart: { kind: 'grids', down: endsOf(chart.changes[0]), across: endsOf(chart.changes[1]), grids },
    table: {
      columns: [
        { title: 'changes' },
        ...sizes.flatMap(({ label }) => [
          { title: `${label}, time`, align: 'right' as const },
          { title: 'change' },
          { title: 'published' },
        ]),
      ],
      rows: places.map(({ key, row, column }) => ({
        cells: [
          names[key],
          ...grids.flatMap(({ cells }) => {
            const cell = cells.find((one) => one.row === row && one.column === column) as GridCell;
            return [cell.text, cell.change ?? '–', cell.published ?? '–'];
          }),
        ],
      })),
    },
  };
}
