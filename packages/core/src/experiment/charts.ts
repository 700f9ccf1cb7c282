/** Speed in percent of the reference's, step by step, one panel a size, beside what was published. */
export interface StepsChart {
  readonly kind: 'steps';
  /** Names of rows, in order. */
  readonly rows: readonly string[];
  /**
   * Rows whose published figures come from elsewhere than the others: somebody else's machine or settings. A dashed line
   * links them.
   */
  readonly apart?: readonly string[];
}

/** What there is without a change, and with it: `{ off: 'A row-major', on: 'A transposed' }`. */
export interface ChartChange {
  readonly off: string;
  readonly on: string;
}

/** Two changes, alone and together, as a grid of four times at each size. */
export interface TwoByTwoChart {
  readonly kind: 'two-by-two';
  /** What is the same in all four: `BK 16`. */
  readonly about: string;
  /** The first change, down the grid, and the second, across it. */
  readonly changes: readonly [first: ChartChange, second: ChartChange];
  /** Names of the rows without either change, with one of them, with both. */
  readonly rows: Readonly<Record<'neither' | 'first' | 'second' | 'both', string>>;
}

/** What a change does to times, and where it was profiled to traffic: an arrow from a row to another, at each size. */
export interface ArrowsChart {
  readonly kind: 'arrows';
  /** What the arrows begin and end at: `['by rows', 'grouped']`. */
  readonly ends: readonly [from: string, to: string];
  /** Names of rows; `about` says what both have in common. */
  readonly arrows: readonly { readonly about: string; readonly from: string; readonly to: string }[];
}

/** Why warps waited, from a profile: cycles per issued instruction by reason, for each row. */
export interface StallsChart {
  readonly kind: 'stalls';
  readonly rows: readonly string[];
}

/** Instructions by opcode, from a profile or from machine code, for each row. */
export interface OpcodesChart {
  readonly kind: 'opcodes';
  readonly rows: readonly string[];
}

/** Warps to choose from, how often one was issued, and what each waited, from a profile, for each row. */
export interface SchedulersChart {
  readonly kind: 'schedulers';
  readonly rows: readonly string[];
}

/** A chart that a report draws of an experiment, beside those that it draws of any times. */
export type ExperimentChart =
  | StepsChart
  | TwoByTwoChart
  | ArrowsChart
  | StallsChart
  | OpcodesChart
  | SchedulersChart;

/** Every kind of chart. */
export const chartKinds = [
  'steps',
  'two-by-two',
  'arrows',
  'stalls',
  'opcodes',
  'schedulers',
] as const satisfies readonly ExperimentChart['kind'][];

/** Names of the rows that a chart is of, in order. */
export function rowsOfChart(chart: ExperimentChart): readonly string[] {
  switch (chart.kind) {
    case 'two-by-two':
      return [chart.rows.neither, chart.rows.first, chart.rows.second, chart.rows.both];
    case 'arrows':
      return chart.arrows.flatMap(({ from, to }) => [from, to]);
    case 'steps':
      return [...chart.rows, ...(chart.apart ?? [])];
    default:
      return chart.rows;
  }
}
