import { sizeLabel } from '@ffma/core';
import { sizeText } from '../../bench/sizes.js';
import { type ExperimentResult, fastestOf, sizesIn } from '../../experiment/row-figures.js';
import type { ReportInput } from '../inputs.js';
import type { Figure } from '../model.js';
import { arrowsFigure } from './arrows.js';
import type { DeclaredChart } from './declared-chart.js';
import { opcodesFigure, schedulersFigure, stallsFigure } from './profiled.js';
import { profiledRow } from './profiles.js';
import { stepsFigure } from './steps.js';
import { twoByTwoFigure } from './two-by-two.js';

export interface DeclaredFigures {
  readonly figures: readonly Figure[];
  /** What could not be drawn, why, and what to do, as sentences. */
  readonly missing: readonly string[];
}

const profiledCharts = {
  stalls: { figure: stallsFigure, what: 'Why warps wait' },
  opcodes: { figure: opcodesFigure, what: 'Instructions by opcode' },
  schedulers: { figure: schedulersFigure, what: 'Warps and schedulers' },
} as const;

type ProfiledChart = Extract<DeclaredChart, { kind: keyof typeof profiledCharts }>;

const isProfiled = (chart: DeclaredChart): chart is ProfiledChart => chart.kind in profiledCharts;

/** A profile for each size at which one of the rows was profiled; else the command that makes one. */
function profiledFigures(
  id: string,
  result: ExperimentResult,
  chart: ProfiledChart,
  inputs: readonly ReportInput[],
): DeclaredFigures {
  const { figure, what } = profiledCharts[chart.kind];
  const sizes = sizesIn(result);
  const figures = sizes.flatMap((size) => {
    const rows = chart.rows.flatMap((row) => profiledRow(result, row, size, inputs) ?? []);
    return (
      figure(`${id}-${sizeLabel(size).replace('³', '').replaceAll('×', 'x')}`, sizeLabel(size), rows) ?? []
    );
  });
  if (figures.length > 0) return { figures, missing: [] };
  const [size] = sizes;
  const kernels = chart.rows.flatMap((name) => {
    const row = result.experiment.rows.find((one) => one.name === name);
    return (row && size && fastestOf(row, result.rows, size)?.id) ?? [];
  });
  const at = size === undefined ? '' : ` --sizes ${sizeText(size)}`;
  return {
    figures,
    missing: [
      `${what} of ${chart.rows.join(', ')}: not drawn, because none of the files has a profile of them. ` +
        `ffma profile ${[...new Set(kernels)].join(' ')}${at} --json profile.json makes one.`,
    ],
  };
}

function timedFigure(
  id: string,
  result: ExperimentResult,
  chart: Exclude<DeclaredChart, ProfiledChart>,
  inputs: readonly ReportInput[],
): Figure | undefined {
  switch (chart.kind) {
    case 'steps':
      return stepsFigure(id, result, chart);
    case 'two-by-two':
      return twoByTwoFigure(id, result, chart);
    case 'arrows':
      return arrowsFigure(id, result, chart, inputs);
  }
}

/** The charts that an experiment asks for, as far as there are figures. */
export function declaredFigures(
  id: string,
  result: ExperimentResult,
  inputs: readonly ReportInput[],
): DeclaredFigures {
  const found = (result.experiment.charts ?? []).map((chart): DeclaredFigures => {
    if (isProfiled(chart)) return profiledFigures(id, result, chart, inputs);
    const figure = timedFigure(id, result, chart, inputs);
    if (figure !== undefined) return { figures: [figure], missing: [] };
    const why = `A chart (${chart.kind}) is not drawn: not all of its rows were measured.`;
    return { figures: [], missing: [why] };
  });
  return {
    figures: found.flatMap(({ figures }) => figures),
    missing: found.flatMap(({ missing }) => missing),
  };
}
