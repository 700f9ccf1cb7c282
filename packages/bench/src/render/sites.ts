import type { ResultRow, RowCounters } from '../result/schema.js';
import { figure } from './numbers.js';
import { nameOf } from './rows.js';
import type { Style } from './style.js';
import { type Column, type Row, renderMarkdown, renderTable } from './table.js';
import { hang } from './text.js';

type Site = RowCounters['launches'][number]['sites'][number];

/** Accesses of one kind that one line of the source makes, each request at the same cost. */
interface Line {
  readonly where: string;
  readonly access: string;
  readonly sites: Site[];
}

const whereOf = ({ source, ptxLine }: Site) =>
  source === undefined ? `PTX ${ptxLine}` : `${source.file.split('/').at(-1)}:${source.line}`;

/** Sites of one line, kind and cost together, in the order of the PTX; those that never ran are left out. */
function linesOf(sites: readonly Site[]): Line[] {
  const lines = new Map<string, Line>();
  for (const site of sites.filter(({ requests }) => requests > 0)) {
    const [where, access] = [whereOf(site), `${site.space} ${site.kind}`];
    const each = (figure = 0) => (figure / site.requests).toFixed(3);
    const key = `${where} ${access} ${each(site.sectors)} ${each(site.wavefronts)}`;
    const line = lines.get(key) ?? { where, access, sites: [] };
    line.sites.push(site);
    lines.set(key, line);
  }
  return [...lines.values()];
}

const columns: readonly Column[] = [
  { title: 'line', least: 13 },
  { title: 'access', least: 13 },
  ...['requests', 'sectors', 'B/sector', 'wavefr.', 'ideal'].map((title) => ({
    title,
    align: 'right' as const,
  })),
];

const meaning =
  'For each request: sectors of 32 bytes of global memory, and bytes used of each; wavefronts, which are passes through the banks of shared memory, and the ideal, without bank conflicts.';

function rowOf({ where, access, sites }: Line): Row {
  const sum = (of: (site: Site) => number | undefined) =>
    sites.reduce((all, site) => all + (of(site) ?? 0), 0);
  const requests = sum((site) => site.requests);
  const ratio = (over: number, under: number) => figure(over > 0 ? over / under : undefined);
  const sectors = sum((site) => site.sectors);
  return {
    cells: [
      where,
      access,
      figure(requests),
      ratio(sectors, requests),
      ratio(
        sum((site) => site.bytesUsed),
        sectors,
      ),
      ratio(
        sum((site) => site.wavefronts),
        requests,
      ),
      ratio(
        sum((site) => site.idealWavefronts),
        requests,
      ),
    ],
  };
}

function tablesOf(row: ResultRow) {
  return (row.counters?.launches ?? []).map((launch, i) => ({
    title: `${i + 1}. ${launch.kernel}`,
    rows: linesOf(launch.sites).map(rowOf),
  }));
}

/** Each line of the source that touches memory, and what its accesses cost: a table for each launch of each kernel. */
export function sitesLines(rows: readonly ResultRow[], style: Style, width: number): string[] {
  const shown = rows.filter((row) => row.asked && row.counters !== undefined);
  if (shown.length === 0) return [];
  const lines = shown.flatMap((row) =>
    tablesOf(row).flatMap(({ title, rows: own }) => [
      '',
      ...hang('', `${nameOf(row, rows)}, launch ${title}`, width).map(style.cyan),
      ...renderTable({ columns, rows: own }, width, style),
    ]),
  );
  return [...lines, '', ...hang('', meaning, width).map(style.dim)];
}

/** The same as Markdown. */
export function sitesMarkdown(rows: readonly ResultRow[]): string[] {
  return rows
    .filter((row) => row.asked && row.counters !== undefined)
    .flatMap((row) =>
      tablesOf(row).flatMap(({ title, rows: own }) => [
        '',
        `#### ${nameOf(row, rows)}, launch ${title}`,
        '',
        ...renderMarkdown({ columns, rows: own }),
      ]),
    );
}
