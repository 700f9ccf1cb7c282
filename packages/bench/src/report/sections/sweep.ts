import { figure, shape } from '../../render/numbers.js';
import { pointsText } from '../../render/sweep.js';
import type { Table } from '../../render/table.js';
import { microseconds, tenths } from '../../render/times.js';
import type { SweepResult, SweepSize } from '../../sweep/schema.js';
import type { Section } from '../model.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

/** As many candidates of a size are shown; the file has all. */
const MOST_RANKED = 20;

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

/** What a search over a kernel's parameters found. */
export function sweepSection(result: SweepResult, { file, newId }: SectionContext): Section {
  const { identity, device, space, sizes, notes } = result;
  const id = newId(file.replace(/\.json$/, ''));
  const byCounter = ['ratio', 'nothing'].includes(identity.rankedBy) ? undefined : identity.rankedBy;
  return {
    id,
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
      const more = one.ranking.length - MOST_RANKED;
      return {
        id: newId(`${id} ${at}`),
        title: one.winner === undefined ? `${at}: no winner` : `${at}: ${one.winner} is the fastest`,
        blocks: [
          ...table(`Candidates at ${at}, the best first`, rankingTable(one, byCounter)),
          ...(more > 0 ? [{ kind: 'note' as const, text: `And ${more} more, in the file.` }] : []),
          ...list(one.refused.map(({ reason, ids }) => `${ids.length} do not take this size: ${reason}`)),
        ],
      };
    }),
  };
}
