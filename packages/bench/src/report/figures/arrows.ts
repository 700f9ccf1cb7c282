import { asChange, asMicroseconds } from '@ffma/core';
import { type ExperimentResult, measuredSizes } from '../../experiment/row-figures.js';
import { bytes } from '../../render/numbers.js';
import type { ArrowGroup } from '../charts/arrows.js';
import type { ReportInput } from '../inputs.js';
import type { Figure } from '../model.js';
import type { DeclaredChart } from './declared-chart.js';
import { profiledRow } from './profiles.js';

type Declared = Extract<DeclaredChart, { kind: 'arrows' }>;

interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly ratio: number;
  readonly words: string;
}

const named = (about: string, size: string) => `${about}, ${size}`;

function times(result: ExperimentResult, { arrows }: Declared): Change[] {
  return measuredSizes(result).flatMap((at) =>
    arrows
      .filter(({ from, to }) => at.has(from) && at.has(to))
      .map(({ about, from, to }) => {
        const change = at.change(to, from);
        return {
          name: named(about, at.label),
          before: asMicroseconds(at.us(from)),
          after: asMicroseconds(at.us(to)),
          ratio: 1 + change,
          words: asChange(change),
        };
      }),
  );
}

/** Bytes read from DRAM, where the same kernels were profiled at the same size. */
function traffic(result: ExperimentResult, { arrows }: Declared, inputs: readonly ReportInput[]): Change[] {
  return measuredSizes(result).flatMap((at) =>
    arrows.flatMap(({ about, from, to }) => {
      const read = (row: string) =>
        profiledRow(result, row, at.size, inputs)?.launch.metrics['dram.readBytes'] ?? undefined;
      const [before, after] = [read(from), read(to)];
      if (before === undefined || after === undefined || before === 0) return [];
      const percent = Math.abs(after / before - 1) * 100;
      return [
        {
          name: named(about, at.label),
          before: bytes(before),
          after: bytes(after),
          ratio: after / before,
          words: `${percent.toFixed(1)} % ${after < before ? 'less' : 'more'}`,
        },
      ];
    }),
  );
}

/** What a change does to times, and to traffic where that was profiled. */
export function arrowsFigure(
  id: string,
  result: ExperimentResult,
  chart: Declared,
  inputs: readonly ReportInput[],
): Figure | undefined {
  const groups = [
    { title: 'Time', changes: times(result, chart) },
    { title: 'Bytes read from DRAM, profiled', changes: traffic(result, chart, inputs) },
  ].filter(({ changes }) => changes.length > 0);
  if (groups.length === 0) return undefined;
  const [from, to] = chart.ends;
  return {
    id: `${id}-arrows`,
    title: `What changes from “${from}” to “${to}”`,
    says: `${groups
      .map(
        ({ title, changes }) =>
          `${title}: ${changes.map(({ name, words }) => `${name} ${words}`).join('; ')}`,
      )
      .join('. ')}.`,
    chart: {
      kind: 'arrows',
      ends: chart.ends,
      groups: groups.map(
        ({ title, changes }): ArrowGroup => ({
          title,
          arrows: changes.map(({ name, ratio, before, after, words }) => ({
            name,
            percent: ratio * 100,
            text: `${before} → ${after}, ${words}`,
          })),
        }),
      ),
    },
    table: {
      columns: [
        { title: 'what' },
        { title: 'of' },
        { title: from, align: 'right' },
        { title: to, align: 'right' },
        { title: 'change' },
      ],
      rows: groups.flatMap(({ title, changes }) =>
        changes.map(({ name, before, after, words }) => ({ cells: [title, name, before, after, words] })),
      ),
    },
  };
}
