import type { BenchPlan, PlannedSize } from '../bench/plan-bench.js';
import { bytes, count, duration, float32, percent, shape } from './numbers.js';
import type { Style } from './style.js';
import { type Column, renderTable } from './table.js';
import { hang } from './text.js';

/** Whether a rule may end the rounds of a size before all of them were run. */
const mayEnd = ({ parameters = {} }: BenchPlan) =>
  parameters.untilWidth !== undefined || parameters.timeLimitMs !== undefined;

const columns = (times: boolean, most: boolean): Column[] => [
  { title: 'size', least: 8 },
  { title: 'kernels', align: 'right' },
  ...(times ? [{ title: 'timed launches', align: 'right' as const }] : []),
  { title: 'device memory', align: 'right' },
  { title: most ? 'at most' : 'roughly', align: 'right', least: 9 },
];

const runs = ({ kernels }: PlannedSize) => kernels.filter(({ refusal }) => refusal === undefined);

function sizeCells(planned: PlannedSize, times: boolean): string[] {
  const { size, launches, deviceBytes, estimatedMs, kept } = planned;
  return [
    shape(size),
    String(runs(planned).length),
    ...(times ? [String(launches)] : []),
    bytes(deviceBytes),
    kept ? 'kept' : duration(estimatedMs),
  ];
}

/** How times would be taken, as one line. */
function howText({ parameters = {} }: BenchPlan): string {
  const { rounds, launches, l2, launched, untilWidth, timeLimitMs, alpha, beta } = parameters;
  const until =
    untilWidth === undefined
      ? `${rounds} rounds of ${launches} launches`
      : `5 to ${rounds} rounds of ${launches} launches, until every interval is narrower than ${percent(Number(untilWidth))}`;
  return [
    until,
    `L2 ${l2}`,
    launched === 'graph' ? 'as graphs' : 'singly',
    ...(alpha === 1 && beta === 0 ? [] : [`alpha ${float32(Number(alpha))}, beta ${float32(Number(beta))}`]),
    ...(timeLimitMs === undefined
      ? []
      : [`at most ${duration(Number(timeLimitMs))} for the rounds of a size`]),
  ].join('; ');
}

/** Sizes to name in a line. */
const MOST_NAMED = 4;

const named = (sizes: readonly string[]) =>
  sizes.length <= MOST_NAMED
    ? sizes.join(', ')
    : `${sizes.slice(0, MOST_NAMED - 1).join(', ')} and ${sizes.length - MOST_NAMED + 1} more`;

/** Each kernel that takes no part, with the reason and the sizes, which may break one rule by different values. */
function refusedLines(plan: BenchPlan, style: Style, width: number): string[] {
  const reasons = new Map<string, string[]>();
  for (const { size, kernels } of plan.sizes) {
    for (const { id, refusal } of kernels) {
      if (refusal === undefined) continue;
      const key = `${id}\n${refusal.replace(/, but is [^,]*\.$/, '')}`;
      reasons.set(key, [...(reasons.get(key) ?? []), shape(size)]);
    }
  }
  return [...reasons].flatMap(([key, sizes]) => {
    const [id = '', reason = ''] = key.split('\n');
    return hang(`${style.yellow('refused')}  ${id}: `, `${reason} (${named(sizes)})`, width);
  });
}

function kernelsText(plan: BenchPlan): string {
  const all = plan.sizes.flatMap(({ kernels }) => kernels);
  const ids = [...new Set(all.map(({ id, role }) => (role === undefined ? id : `${id} (reference)`)))];
  return `${count(ids.length, 'kernel')}: ${ids.join(', ')}.`;
}

/**
 * A plan for a terminal.
 * @param why there is no device, as a sentence
 */
export function renderBenchPlan(
  plan: BenchPlan,
  style: Style,
  width: number,
  why: string | undefined = undefined,
): string[] {
  const { device, measures, sizes, estimatedMs } = plan;
  const times = measures === 'times';
  const where =
    device === undefined
      ? `No device is open: ${why ?? 'there is none.'} The plan is for a GPU of 50 TFLOP/s.`
      : `On ${device.name} (${device.arch}).`;
  const guess = times
    ? 'with kernels at half of the peak'
    : 'with an emulator that does 300 million multiply-adds a second';
  const of = times ? `Would time ${howText(plan)}.` : 'Would check, and count what each kernel does.';
  return [
    ...hang('', `Nothing is run. ${where}`, width),
    ...hang('', of, width),
    ...hang('', kernelsText(plan), width),
    '',
    ...renderTable(
      { columns: columns(times, mayEnd(plan)), rows: sizes.map((one) => ({ cells: sizeCells(one, times) })) },
      width,
      style,
    ),
    ...refusedLines(plan, style, width),
    '',
    ...hang(
      '',
      `${mayEnd(plan) ? 'At most, roughly,' : 'Roughly'} ${duration(estimatedMs)} in all, with checking: guessed from sizes alone, ${guess}.`,
      width,
    ).map(style.dim),
  ];
}
