import type { DiscoveredKernel } from '../discover/kernel-package.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { VerifiedKernel } from '../verify/run-verify.js';
import { gatesOf } from '../verify/summary.js';
import { counterTable, rowLesson } from './bench.js';
import { count } from './numbers.js';
import { unrankedLines } from './rows.js';
import type { Style } from './style.js';
import { hang, pad, wrap } from './text.js';
import { sessionOf, timesLines } from './times.js';
import { renderVerified } from './verify.js';

const NAME = 16;

/** One line for a kernel that passed; the details of one that did not. */
export function tourVerified(verified: VerifiedKernel, style: Style, width: number): string[] {
  const { selected, report } = verified;
  if (report.outcome !== 'passed') return ['', ...renderVerified([verified], style, width), ''];
  const text = `${count(report.counts.passed, 'case')} passed: ${gatesOf(report).join(', ')}`;
  return hang(`  ${style.green('✓')} ${pad(selected.kernel.name, NAME)} `, text, width);
}

/** Times on a GPU: the table, and what it says. */
export function tourTimed(timed: BenchResult, style: Style, width: number): string[] {
  const { rows } = timed;
  const session = sessionOf(timed, rows);
  const lines = session === undefined ? [] : timesLines({ rows, session }, timed, style, width - 2);
  return [...lines, ...unrankedLines(rows, style, width - 2)].map((line) => `  ${line}`);
}

/** A kernel's counters above those of its base, then what they say. */
export function tourRow(
  row: ResultRow,
  rows: readonly ResultRow[],
  kernel: DiscoveredKernel | undefined,
  style: Style,
  width: number,
): string[] {
  if (!row.asked) return [];
  if (row.counters === undefined) return unrankedLines([row], style, width);
  const [title = '', ...lines] = counterTable(rows, style, width - 2, [row]);
  const first = rows.find((other) => other.asked && other.counters !== undefined) === row;
  const says = [rowLesson(row, rows), kernel?.definition?.lesson]
    .filter((text) => text !== undefined)
    .join(' ');
  return [...(first ? [title] : []), ...lines]
    .map((line) => `  ${line}`)
    .concat(hang(`  ${style.cyan('→')} `, says, width), '');
}

/** Commands that lead on from here; `ffma` is how it is called. */
export function tourNext(
  kernels: readonly DiscoveredKernel[],
  style: Style,
  width: number,
  ffma: string,
): string[] {
  const name = kernels.at(-1)?.name ?? 'all';
  const commands = [
    [`${ffma} inspect ${name}`, 'parameters, launches, occupancy; --ptx, --entry'],
    [`${ffma} bench ${name} -s 512`, 'the same figures at another size; --json'],
    [`${ffma} verify ${name}`, 'every conformance case, not only the quick ones'],
    [`${ffma} list`, 'all kernels, and what each one changes'],
    [`${ffma} doctor`, 'what works on this machine'],
  ] as const;
  const widest = Math.max(...commands.map(([command]) => command.length));
  return commands.flatMap(([command, what]) => {
    const first = `  ${pad(command, widest)}  `;
    const lines = wrap(what, Math.max(20, width - first.length));
    return lines.map((line, i) => (i === 0 ? first : ' '.repeat(first.length)) + style.dim(line));
  });
}
