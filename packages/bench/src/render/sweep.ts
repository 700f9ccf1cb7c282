import type { Ranked, SweepResult, SweepSize } from '../sweep/schema.js';
import { shardText } from '../sweep/shard.js';
import { count, figure, shape } from './numbers.js';
import type { Style } from './style.js';
import { type Column, renderTable } from './table.js';
import { hang } from './text.js';
import { microseconds, rate, tenths } from './times.js';

/** Candidates of a size that a table shows; the file has all. */
const MOST_ROWS = 10;
/** Rules, and candidates that went wrong, that are named. */
const MOST_REASONS = 6;

/** How many points the rules refuse, and what is left. */
export function pointsText({ points, refused, reasons, candidates }: SweepResult['space']): string {
  const several =
    reasons.reduce((sum, { count: n }) => sum + n, 0) > refused ? ' (a point may break several)' : '';
  return `${count(points, 'point')}, ${refused} refused by rules${several}: ${count(candidates, 'candidate')}`;
}

/** `12  A rule as a sentence`, most first, and how many there are beside those shown. */
export function reasonLines(
  reasons: readonly { readonly reason: string; readonly count: number }[],
  width: number,
): string[] {
  const digits = String(reasons[0]?.count ?? 0).length;
  const lines = reasons
    .slice(0, MOST_REASONS)
    .flatMap(({ reason, count: n }) => hang(`    ${String(n).padStart(digits)}  `, reason, width));
  const more = reasons.length - MOST_REASONS;
  return more > 0 ? [...lines, `    and ${count(more, 'other reason')}`] : lines;
}

/** What is said of one variant, and of several, that went no further; the gravest first. */
const endings = [
  { outcome: 'wrong', one: 'wrong', many: 'wrong' },
  { outcome: 'refused', one: 'does not compile', many: 'do not compile' },
  { outcome: 'spills', one: 'spills', many: 'spill' },
  { outcome: 'too large', one: 'does not fit', many: 'do not fit' },
  { outcome: 'unknown', one: 'not checked yet', many: 'not checked yet' },
] as const;

/** What became of the points of the space, from all of them to those that were right. */
function funnel(result: SweepResult, style: Style, width: number): string[] {
  const { space, shards = [], variants, identity } = result;
  const ended = endings.map((ending) => ({
    ...ending,
    those: variants.filter(({ outcome }) => outcome === ending.outcome),
  }));
  const right = variants.filter(({ outcome }) => outcome === 'built').length;
  const figures = ended
    .filter(({ those }) => those.length > 0)
    .map(({ those, one, many }) => `${those.length} ${those.length === 1 ? one : many}`);
  const bad = ended
    .filter(({ outcome }) => outcome !== 'unknown')
    .flatMap(({ those, outcome, one }) => those.map(({ id, reason = '' }) => ({ id, reason, outcome, one })));
  const part =
    shards.length === 0
      ? ''
      : `, ${variants.length} in ${shards.length === 1 ? 'shard' : 'shards'} ${shards.map(shardText).join(', ')}`;
  return [
    ...hang('  ', `${pointsText(space)}${part}`, width),
    ...reasonLines(space.reasons, width),
    ...hang('  ', `of them, by ${identity.compiler}: ${[`${right} right`, ...figures].join(', ')}`, width),
    ...bad.slice(0, MOST_REASONS).flatMap(({ id, reason, outcome, one }) => {
      const word = outcome === 'wrong' ? style.red(one) : style.yellow(one);
      return hang(`    ${word}  `, `${id}: ${reason}`, width);
    }),
    ...(bad.length > MOST_REASONS ? [`    and ${count(bad.length - MOST_REASONS, 'other')}`] : []),
  ];
}

/** Parameters of which several values were searched, as they are written to name one: `BM=128 BN=64`. */
function labelOf(id: string, { identity: { space }, variants }: SweepResult): string {
  const { params = {} } = variants.find((variant) => variant.id === id) ?? {};
  const varying = Object.entries(params).filter(([name]) => (space[name]?.length ?? 0) > 1);
  return varying.map(([name, value]) => `${name}=${value}`).join(' ') || id;
}

const rungText = ({ rung, rounds }: Ranked) =>
  rung === 'final' ? `final, ${rounds}` : `${(rung ?? 0) + 1}, ${rounds}`;

function timedTable(ranking: readonly Ranked[], result: SweepResult, style: Style, width: number): string[] {
  const columns: Column[] = [
    { title: 'variant', wrapTo: 20 },
    { title: 'µs', align: 'right' },
    { title: 'TFLOP/s', align: 'right' },
    { title: '% of ref.', align: 'right' },
    { title: 'range', align: 'right' },
    { title: 'rung, rounds' },
  ];
  const rows = ranking.map((ranked) => {
    const { id, medianUs = Number.NaN, tflops = Number.NaN, ratio } = ranked;
    const share =
      ratio === undefined ? ['–', '–'] : [tenths(ratio.median), `${tenths(ratio.min)}–${tenths(ratio.max)}`];
    return { cells: [labelOf(id, result), microseconds(medianUs), rate(tflops), ...share, rungText(ranked)] };
  });
  return renderTable({ columns, rows }, width, style);
}

function countedTable(
  ranking: readonly Ranked[],
  result: SweepResult,
  style: Style,
  width: number,
): string[] {
  const { identity, variants } = result;
  const columns: Column[] = [
    { title: 'variant', wrapTo: 20 },
    { title: identity.rankedBy, align: 'right' },
    { title: 'registers', align: 'right' },
    { title: 'shared', align: 'right' },
    { title: 'blocks/SM', align: 'right' },
  ];
  const rows = ranking.map(({ id, counter }) => {
    const variant = variants.find((one) => one.id === id);
    const facts = [variant?.registers, variant?.sharedBytes, variant?.blocksPerSm].map(figure);
    return { cells: [labelOf(id, result), figure(counter), ...facts] };
  });
  return renderTable({ columns, rows }, width, style);
}

function sizeLines(one: SweepSize, result: SweepResult, style: Style, width: number): string[] {
  const { size, ranking, refused, winner } = one;
  const out = refused.reduce((sum, { ids }) => sum + ids.length, 0);
  const timed = result.identity.rankedBy === 'ratio';
  const shown = ranking.slice(0, MOST_ROWS);
  const table = timed ? timedTable : countedTable;
  const beside = timed ? `, beside ${result.identity.reference?.id}` : '';
  const says = `${count(ranking.length, 'candidate')} ranked${beside}${out === 0 ? '' : `; ${out} ${out === 1 ? 'does' : 'do'} not take it`}`;
  return [
    '',
    ...hang(`${style.bold(shape(size))}  `, says, width),
    ...(shown.length === 0 ? [] : table(shown, result, style, width)),
    ...(ranking.length > shown.length
      ? [style.dim(`and ${ranking.length - shown.length} more in the result`)]
      : []),
    ...(winner === undefined
      ? []
      : hang(`${style.cyan('→')} `, winnerSentence(ranking, winner, timed, result), width)),
  ];
}

function winnerSentence(
  ranking: readonly Ranked[],
  winner: string,
  timed: boolean,
  { identity }: SweepResult,
): string {
  const ranked = ranking.find(({ id }) => id === winner);
  if (!timed || ranked?.ratio === undefined)
    return `Best by ${identity.rankedBy}: ${winner}, ${figure(ranked?.counter)}.`;
  const { median, wins } = ranked.ratio;
  return `Fastest: ${winner}, at ${tenths(median)} % of ${identity.reference?.id}, ahead in ${wins} of ${ranked.rounds} rounds.`;
}

/** A sweep for a terminal: what was pruned, what went wrong, and the best of each size. */
export function renderSweep(result: SweepResult, style: Style, width: number): string[] {
  const { identity, device, sizes, notes, interrupted } = result;
  const { driver } = device.details;
  const where = `${device.name} (${device.arch}${driver === undefined ? '' : `, driver ${driver}`})`;
  return [
    ...hang(`${style.bold(identity.kernel)}  `, where, width),
    ...funnel(result, style, width),
    ...(identity.rankedBy === 'nothing' ? [] : sizes.flatMap((one) => sizeLines(one, result, style, width))),
    ...(notes.length === 0 ? [] : ['']),
    ...notes.flatMap((note) => hang(`${style.cyan('→')} `, note, width)),
    ...(interrupted ? ['', style.yellow('Interrupted: not all that was asked for was done.')] : []),
  ];
}
