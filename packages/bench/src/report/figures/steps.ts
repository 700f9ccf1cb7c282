import { sameSize, sizeLabel } from '@ffma/core';
import type { Size } from '../../bench/sizes.js';
import type { ExperimentResult } from '../../experiment/row-figures.js';
import { tenths } from '../../render/times.js';
import type { PublishedRecord } from '../../result/experiment-schema.js';
import type { StepsChart, StepsPanel } from '../charts/steps.js';
import type { Figure } from '../model.js';
import type { DeclaredChart } from './declared-chart.js';
import { type Contender, lineUpOf, shareOf } from './line-up.js';

type Declared = Extract<DeclaredChart, { kind: 'steps' }>;

/** The published speed of a row at a size, in percent of the reference's. */
const publishedAt = ({ published }: Pick<Contender, 'published'>, size: Size): PublishedRecord | undefined =>
  published.find((one) => one.unit === '%' && sameSize(one.size, size));

function panelOf(
  steps: readonly (Contender | undefined)[],
  { rows, apart = [] }: Declared,
  size: Size,
): StepsPanel {
  return {
    title: sizeLabel(size),
    ours: steps.flatMap((one, step) => {
      const share = shareOf(one?.at(size));
      return share === undefined ? [] : [{ step, value: share * 100 }];
    }),
    published: steps.flatMap((one, step) => {
      const found = one && publishedAt(one, size);
      if (found === undefined) return [];
      return [{ step, value: found.value, kind: found.kind, apart: apart.includes(rows[step] as string) }];
    }),
  };
}

/** Speed step by step beside what was published; undefined where no step was set beside a reference. */
export function stepsFigure(id: string, result: ExperimentResult, chart: Declared): Figure | undefined {
  const { contenders, sizes, reference } = lineUpOf(result);
  // A step that was not measured may have been published.
  const steps = chart.rows.map((name): Contender | undefined => {
    const measured = contenders.find((one) => one.name === name);
    const row = result.experiment.rows.find((one) => one.name === name);
    return measured ?? (row && { name, at: () => undefined, published: row.published, several: false });
  });
  const panels = sizes.map((size) => panelOf(steps, chart, size)).filter((panel) => panel.ours.length > 0);
  if (panels.length === 0 || reference === undefined) return undefined;
  const name = ({ step }: { step: number }) => chart.rows[step] as string;
  const best = panels.map(({ title, ours }) => {
    const top = [...ours].sort((x, y) => y.value - x.value)[0];
    return top === undefined ? '' : `${name(top)} at ${title} (${tenths(top.value / 100)} %)`;
  });
  const gpus = [...new Set(steps.flatMap((one) => one?.published ?? []).map(({ gpu }) => gpu))].join(', ');
  const data: StepsChart = {
    kind: 'steps',
    reference,
    steps: chart.rows,
    here: `here, on ${result.device.name}`,
    there: `published, on ${gpus || 'another GPU'}`,
    panels,
  };
  return {
    id: `${id}-steps`,
    title: `Speed step by step, in percent of ${reference}`,
    says: `Each step is the fastest of its kernel's variants that were measured. Fastest: ${best.join(', ')}.`,
    chart: data,
    table: {
      columns: [
        { title: 'step' },
        { title: 'what it is' },
        ...panels.flatMap(({ title }) => [
          { title: `${title}, %`, align: 'right' as const },
          { title: 'published', align: 'right' as const },
        ]),
      ],
      rows: chart.rows.map((row, step) => ({
        cells: [
          row,
          steps[step]?.about ?? '–',
          ...panels.flatMap(({ ours, published }) => {
            const there = published.find((one) => one.step === step);
            return [
              ours.find((one) => one.step === step)?.value.toFixed(1) ?? '–',
              there === undefined ? '–' : `${there.value}, ${there.apart ? 'elsewhere, ' : ''}${there.kind}`,
            ];
          }),
        ],
      })),
    },
  };
}
