import type { ProfileLaunch, ProfileResult, ProfileRow } from '../profile/schema.js';
import { figure, percent, shape } from './numbers.js';
import { profileFigure } from './profile-figures.js';
import type { Style } from './style.js';
import { type Column, type Row, renderMarkdown, renderTable, type Table } from './table.js';
import { hang, wrap } from './text.js';

type Cell = (launch: ProfileLaunch) => string;
type Heading = readonly [title: string, cell: Cell];

/** How a table is told from the next, and its columns; short headings, so that it fits 80 columns. */
interface ProfileTable {
  readonly title: string;
  readonly columns: readonly Heading[];
}

function topStall({ stalls: [worst] }: ProfileLaunch): string {
  return worst === undefined
    ? '–'
    : `${worst.reason.replace(/_stall$/, '').replaceAll('_', ' ')} ${worst.perIssue.toFixed(2)}`;
}

/** The units of the metrics of a result, so that a file of another version is shown by its own. */
function tablesOf({ metrics }: ProfileResult): ProfileTable[] {
  const units = new Map(metrics.map(({ name, unit }) => [name, unit]));
  const of =
    (name: string): Cell =>
    (launch) =>
      profileFigure(launch.metrics[name], units.get(name) ?? '');
  return [
    {
      title: 'schedulers',
      columns: [
        ['issued', of('issue.warpsPerScheduler')],
        ['no elig.', of('issue.noEligible')],
        ['act./elig.', (launch) => `${of('warps.active')(launch)}/${of('warps.eligible')(launch)}`],
        ['occup.', of('occupancy.achieved')],
        ['regs', of('launch.registers')],
        ['worst stall', topStall],
      ],
    },
    {
      title: 'instructions',
      columns: [
        ['executed', of('instructions.executed')],
        ['FFMA', ({ opcodes }) => staticMark(opcodes, percent(opcodes?.ffmaShare))],
        ['per FFMA', ({ opcodes }) => staticMark(opcodes, figure(opcodes?.overheadPerFfma))],
        ['L2 hit', of('l2.hitRate')],
        ['DRAM read', of('dram.readBytes')],
        ['written', of('dram.writtenBytes')],
        ['DRAM rate', of('dram.bytesPerSecond')],
      ],
    },
    {
      title: 'accesses',
      columns: [
        ['L2 excess', of('l2.excessiveSectors')],
        ['uncoal.', of('global.uncoalesced')],
        ['load B', of('global.load.bytesPerSector')],
        ['store B', of('global.store.bytesPerSector')],
        ['LDS', of('shared.load.requests')],
        ['wavefr.', of('shared.load.wavefronts')],
        ['sh. excess', of('shared.excessive')],
      ],
    },
  ];
}

/** Static counts say nothing of how often an instruction runs. */
function staticMark(opcodes: ProfileLaunch['opcodes'], text: string): string {
  return opcodes?.level === 'static' ? `${text}*` : text;
}

const mainOf = ({ launches }: ProfileRow) => launches.find(({ main }) => main);

/** The short name where that is not ambiguous, else the id. */
export function profiledName(row: ProfileRow, rows: readonly ProfileRow[]): string {
  const ids = new Set(rows.filter(({ kernel }) => kernel === row.kernel).map(({ id }) => id));
  return ids.size > 1 ? row.id : row.kernel;
}

/** A launch beside the one that multiplies: what its symbol adds to that one's, where it begins alike. */
function besideName({ kernel }: ProfileLaunch, main: ProfileLaunch | undefined): string {
  const own =
    main !== undefined && kernel.startsWith(main.kernel) ? kernel.slice(main.kernel.length) : kernel;
  return `+ ${own.replace(/^_+/, '') || kernel}`;
}

/** A line for each launch: that which multiplies by its kernel's name, others below it by their symbols. */
function rowsOf(rows: readonly ProfileRow[], columns: readonly Heading[]): Row[] {
  return rows.flatMap((row) => {
    const name = profiledName(row, rows);
    const main = mainOf(row);
    const others = row.launches.filter((launch) => launch !== main);
    return [
      ...(main === undefined ? [] : [{ cells: [name, ...columns.map(([, cell]) => cell(main))] }]),
      ...others.map((launch) => ({
        cells: [besideName(launch, main), ...columns.map(([, cell]) => cell(launch))],
      })),
    ];
  });
}

export function profileSizes(rows: readonly ProfileRow[]): ProfileRow[][] {
  const sizes = [...new Set(rows.map(({ problem }) => shape(problem)))];
  return sizes.map((size) => rows.filter(({ problem }) => shape(problem) === size));
}

function tableOf(rows: readonly ProfileRow[], { columns, title }: ProfileTable): Table {
  const headings: Column[] = columns.map(([name]) => ({ title: name, align: 'right' }));
  return { columns: [{ title }, ...headings], rows: rowsOf(rows, columns) };
}

/** The tables of one size, each with its title, for a page that lays them out itself. */
export function profileTables(
  result: ProfileResult,
  rows: readonly ProfileRow[],
): { readonly title: string; readonly table: Table }[] {
  return tablesOf(result).map((one) => ({ title: one.title, table: tableOf(rows, one) }));
}

function headLines({ device, profiler, protocol }: ProfileResult, width: number): string[] {
  const cold = protocol.cache === 'cold' ? 'cold caches' : 'caches as they are';
  return wrap(
    `${device.name} (${device.arch}) · ${profiler.name} ${profiler.version} · ${cold}, clocks not locked, ` +
      `${protocol.warmUpLaunches} multiplications before the one profiled`,
    width,
  );
}

function notProfiled(rows: readonly ProfileRow[], style: Style, width: number): string[] {
  return rows
    .filter(({ status }) => status !== 'profiled')
    .flatMap((row) => {
      const word = row.status === 'refused' ? style.yellow('refused') : style.red('failed');
      return hang(`${word}  ${profiledName(row, rows)} ${shape(row.problem)}: `, row.reason ?? '', width);
    });
}

/** What the columns mean, and what was not known, as sentences. */
export function profileNotes({ rows, notes, interrupted }: ProfileResult): string[] {
  const launches = rows.flatMap((row) => row.launches);
  const text = [
    ...(launches.some(({ stalls }) => stalls.length > 0)
      ? [
          'No elig.: cycles without a warp that could issue. Act./elig.: warps of a scheduler, and those that could ' +
            'issue. Worst stall: warps that wait for it, for each instruction issued. Per FFMA: other instructions.',
        ]
      : []),
    ...(launches.some(({ opcodes }) => opcodes?.level === 'static')
      ? ['* as the machine code stands, not as often as it runs.']
      : []),
    ...notes,
    ...(interrupted === true ? ['Interrupted: not all was profiled.'] : []),
  ];
  return text;
}

/** Tables of a profile at most `width` columns wide: schedulers, instructions and memory, accesses. */
export function renderProfile(result: ProfileResult, style: Style, width: number): string[] {
  const lines = headLines(result, width);
  for (const rows of profileSizes(result.rows)) {
    lines.push('', style.bold(shape((rows[0] as ProfileRow).problem)));
    if (rows.some(({ launches }) => launches.length > 0)) {
      for (const table of tablesOf(result))
        lines.push(...renderTable(tableOf(rows, table), width, style), '');
    }
    lines.push(...notProfiled(rows, style, width));
  }
  const foot = profileNotes(result).flatMap((text) => wrap(text, width));
  return [
    ...lines,
    ...(lines.at(-1) === '' || foot.length === 0 ? [] : ['']),
    ...foot.map((line) => style.dim(line)),
  ];
}

/** The same as GitHub Markdown. */
export function renderProfileMarkdown(result: ProfileResult): string[] {
  const lines = headLines(result, Number.POSITIVE_INFINITY);
  for (const rows of profileSizes(result.rows)) {
    lines.push('', `### ${shape((rows[0] as ProfileRow).problem)}`, '');
    for (const table of tablesOf(result)) lines.push(...renderMarkdown(tableOf(rows, table)), '');
    for (const { status, id, reason } of rows)
      if (status !== 'profiled') lines.push(`${status}: ${id}: ${reason}`, '');
  }
  return [...lines, ...profileNotes(result)];
}
