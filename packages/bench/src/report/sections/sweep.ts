import { figure, shape } from '../../render/numbers.js';
import { pointsText } from '../../render/sweep.js';
import type { Table } from '../../render/table.js';
import { microseconds, tenths } from '../../render/times.js';
import type { SweepResult, SweepSize } from '../../sweep/schema.js';
import type { Figure, Section } from '../model.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

/** As many candidates of a size are shown; the file has all. */
const MOST_RANKED = 20;
const MOST_DRAWN = 12;

const right = (title: string) => ({ title, align: 'right' as const });

function rankingTable({ ranking }: SweepSize, byCounter: string | undefined): Table {
  return {
    columns: [
      { title: 'candidate' },
      { title: 'came to' },
      right('rounds'),
      ...(byCounter === undefined
        ? [right('µs'), right('% of reference'), right('range'), right('faster in')]
        : [right(byCounter)]),
    ],
    rows: ranking.slice(0, MOST_RANKED).map(({ id, rung, rounds, medianUs, ratio, counter }) => ({
      cells: [
        id,
        rung === undefined ? '–' : rung === 'final' ? 'the final' : `rung ${rung}`,
        rounds === undefined ? '–' : String(rounds),
        ...(byCounter === undefined
          ? [
              medianUs === undefined ? '–' : microseconds(medianUs),
              ratio === undefined ? '–' : tenths(ratio.median),
              ratio === undefined ? '–' : `${tenths(ratio.min)}–${tenths(ratio.max)}`,
              ratio === undefined || rounds === undefined ? '–' : `${ratio.wins} of ${rounds}`,
            ]
          : [figure(counter)]),
      ],
    })),
  };
}

function prunedTable({ space, variants }: SweepResult): Table {
  const outcomes = [...new Set(variants.map(({ outcome }) => outcome))];
  return {
    columns: [{ title: 'why' }, right('points')],
    rows: [
      ...space.reasons.map(({ reason, count: points }) => ({ cells: [reason, String(points)] })),
      ...outcomes.map((outcome) => ({
        cells: [outcome, String(variants.filter((one) => one.outcome === outcome).length)],
      })),
    ],
  };
}

/** The candidates that came furthest, as far as they have a figure: in percent of the reference, or by the counter. */
function rankingFigure(
  id: string,
  at: string,
  one: SweepSize,
  byCounter: string | undefined,
): Figure | undefined {
  const figured = one.ranking.flatMap(({ id: name, ratio, counter }) => {
    const value = byCounter === undefined ? ratio && ratio.median * 100 : counter;
    return value === undefined ? [] : [{ name, value }];
  });
  const drawn = figured.slice(0, MOST_DRAWN);
  const unit = byCounter ?? '% of the reference';
  const text = (value: number) => (byCounter === undefined ? `${tenths(value / 100)} %` : figure(value));
  const [best] = drawn;
  if (best === undefined) return undefined;
  return {
    id: `${id}-ranking`,
    title: `Candidates at ${at}, ${unit}`,
    says: `The first ${drawn.length} of ${figured.length}, the best first: ${best.name} has ${text(best.value)}.`,
    chart: {
      kind: 'bars',
      oneScale: true,
      groups: [
        {
          title: unit,
          bars: drawn.map(({ name, value }) => ({
            name,
            value,
            text: text(value),
            strong: name === one.winner,
          })),
        },
      ],
    },
    table: rankingTable(one, byCounter),
  };
}

function headline({ winner }: SweepSize, byCounter: string | undefined): string {
  if (winner === undefined) return 'no winner';
  return byCounter === undefined ? `${winner} is the fastest` : `${winner} comes first by ${byCounter}`;
}

/** What a search over a kernel's parameters found. */
export function sweepSection(result: SweepResult, { file, newId }: SectionContext): Section {
  const { identity, device, space, sizes, notes } = result;
  const own = newId(file.replace(/\.json$/, ''));
  const byCounter = ['ratio', 'nothing'].includes(identity.rankedBy) ? undefined : identity.rankedBy;
  return {
    id: own,
    title: `${file}: search over ${identity.kernel} on ${device.name}`,
    blocks: [
      {
        kind: 'text',
        text: `${pointsText(space)}.`,
      },
      ...list(notes),
      ...table('What became of the points', prunedTable(result)),
    ],
    parts: sizes.map((one): Section => {
      const at = shape(one.size);
      const id = newId(`${own} ${at}`);
      const drawn = rankingFigure(id, at, one, byCounter);
      const more = one.ranking.length - MOST_RANKED;
      return {
        id,
        title: `${at}: ${headline(one, byCounter)}`,
        blocks: [
          ...(drawn === undefined
            ? table(`Candidates at ${at}, the best first`, rankingTable(one, byCounter))
            : [{ kind: 'figure' as const, figure: drawn }]),
          ...(more > 0 ? [{ kind: 'note' as const, text: `And ${more} more, in the file.` }] : []),
          ...list(one.refused.map(({ reason, ids }) => `${ids.length} do not take this size: ${reason}`)),
        ],
      };
    }),
  };
}
