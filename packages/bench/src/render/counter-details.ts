import type { ResultRow } from '../result/schema.js';
import { bytes, figure, percent } from './numbers.js';
import { nameOf } from './rows.js';
import type { Style } from './style.js';
import { type Column, type Row, renderMarkdown, renderTable, type Table } from './table.js';
import { hang } from './text.js';

const right = (title: string): Column => ({ title, align: 'right' });
const counted = [right('wav./FFMA'), right('conflicts'), right('syncs')];
const compiled = [right('regs'), right('spills'), right('occup.')];
const modelled = [right('L2 hit*'), right('DRAM*')];

const meaning =
  'wav./FFMA: passes through the banks of shared memory for each FFMA of a warp; conflicts: those too many; syncs: barriers of a thread; regs, spills, occup.: of ptxas, and blocks that fit on a multiprocessor of the device.';
const model =
  '* What a model of the L2 cache says, with nothing in it at the start: hits of reads, and bytes read from memory. Not measured.';

/** Of the launch that takes the most of a multiprocessor's registers. */
function compiledOf({ counters }: ResultRow) {
  const known = (counters?.launches ?? []).flatMap((launch) => launch.compiled ?? []);
  return known.sort((x, y) => y.registers - x.registers)[0];
}

function tableOf(rows: readonly ResultRow[]): { columns: Column[]; rows: Row[]; model: boolean } | undefined {
  const shown = rows.filter((row) => row.counters !== undefined);
  if (shown.every(({ counters }) => counters?.values['shared.wavefrontsPerFfma'] === undefined))
    return undefined;
  const withModel = shown.some(({ counters }) => typeof counters?.values['l2Model.readHitRate'] === 'number');
  const cells = (row: ResultRow): string[] => {
    const value = (name: string) => row.counters?.values[name];
    const of = compiledOf(row);
    const dram = value('l2Model.dramReadBytes');
    return [
      nameOf(row, rows),
      figure(value('shared.wavefrontsPerFfma')),
      figure(value('shared.bankConflicts')),
      figure(value('barriers.perThread')),
      figure(of?.registers),
      figure(of?.spillBytes),
      percent(of?.occupancy),
      ...(withModel
        ? [percent(value('l2Model.readHitRate')), typeof dram === 'number' ? bytes(dram) : figure(dram)]
        : []),
    ];
  };
  return {
    columns: [{ title: 'kernel', least: 8 }, ...counted, ...compiled, ...(withModel ? modelled : [])],
    rows: shown.map((row) => ({ cells: cells(row) })),
    model: withModel,
  };
}

/** Shared memory, ptxas and the modelled cache: what the first table has no room for, and what its columns mean. */
export function detailTable(
  rows: readonly ResultRow[],
): { table: Table; notes: readonly string[] } | undefined {
  const table = tableOf(rows);
  return table && { table, notes: [meaning, ...(table.model ? [model] : [])] };
}

/** The same for a terminal. */
export function detailLines(rows: readonly ResultRow[], style: Style, width: number): string[] {
  const table = tableOf(rows);
  if (table === undefined) return [];
  return [
    ...renderTable(table, width, style),
    ...[meaning, ...(table.model ? [model] : [])].flatMap((text) => hang('', text, width)).map(style.dim),
    '',
  ];
}

/** The same as Markdown. */
export function detailMarkdown(rows: readonly ResultRow[]): string[] {
  const table = tableOf(rows);
  return table === undefined
    ? []
    : [...renderMarkdown(table), '', meaning, ...(table.model ? ['', model] : []), ''];
}
