import type { ProfileLaunch, ProfileResult, ProfileRow } from '../profile/schema.js';
import { figure, percent, shape } from './numbers.js';
import { profileFigure } from './profile-figures.js';
import type { Style } from './style.js';
import { renderTable } from './table.js';
import { hang } from './text.js';

/** As many opcodes are named; those below them are few. */
const MOST_OPCODES = 16;

function metricLines(
  { metrics }: ProfileResult,
  launch: ProfileLaunch,
  width: number,
  style: Style,
): string[] {
  const rows = metrics.map(({ name, unit, meaning }) => {
    const value = launch.metrics[name];
    const counted = ['', '%', 'bytes/s', 'µs'].includes(unit) || (unit === 'bytes' && (value ?? 0) > 999);
    const shown = profileFigure(value, unit);
    return {
      cells: [
        name,
        shown === '–' || counted ? shown : `${shown} ${unit}`,
        value === null ? (launch.missing[name] ?? meaning) : meaning,
      ],
    };
  });
  const columns = [
    { title: 'metric' },
    { title: 'value', align: 'right' as const },
    { title: 'meaning', wrapTo: 20 },
  ];
  return renderTable({ columns, rows }, width, style);
}

function stallLines({ stalls }: ProfileLaunch, width: number, style: Style): string[] {
  const text = stalls
    .filter(({ perIssue }) => perIssue >= 0.005)
    .map(({ reason, perIssue }) => `${reason} ${perIssue.toFixed(2)}`)
    .join(', ');
  return hang(`${style.bold('stalls')}  `, text || 'none', width);
}

function opcodeLines({ opcodes }: ProfileLaunch, width: number, style: Style): string[] {
  if (opcodes === undefined) return hang(`${style.bold('opcodes')}  `, 'not counted', width);
  const { counts, total, level, ffmaShare } = opcodes;
  const all = Object.entries(counts);
  const named = all
    .slice(0, MOST_OPCODES)
    .map(([opcode, count]) => `${opcode} ${figure(count)} (${percent(count / total)})`);
  const rest = all.length > MOST_OPCODES ? [`and ${all.length - MOST_OPCODES} more`] : [];
  const what = level === 'executed' ? 'executed' : 'as the machine code stands, not as often as it runs';
  const head = `${figure(total)} ${what}, ${percent(ffmaShare)} of them FFMA: `;
  return hang(`${style.bold('opcodes')}  `, head + [...named, ...rest].join(', '), width);
}

function launchLines(
  result: ProfileResult,
  row: ProfileRow,
  launch: ProfileLaunch,
  width: number,
  style: Style,
) {
  const { kernel, grid, block, main } = launch;
  const extents =
    grid === undefined || block === undefined ? '' : `, grid ${grid.join('×')}, block ${block.join('×')}`;
  return [
    '',
    ...hang(
      `${style.bold(row.id)}  `,
      `${shape(row.problem)}, ${main ? '' : 'beside it '}${kernel}${extents}`,
      width,
    ),
    ...metricLines(result, launch, width, style),
    ...stallLines(launch, width, style),
    ...opcodeLines(launch, width, style),
  ];
}

/** Everything that is known of every launch: each metric with its meaning, stalls, opcodes. */
export function renderProfileDetails(result: ProfileResult, style: Style, width: number): string[] {
  return result.rows.flatMap((row) =>
    row.launches.flatMap((launch) => launchLines(result, row, launch, width, style)),
  );
}
