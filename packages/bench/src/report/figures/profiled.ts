import type { ProfileLaunch, ProfileOpcodes, ProfileRow } from '../../profile/schema.js';
import { figure } from '../../render/numbers.js';
import type { Table } from '../../render/table.js';
import type { Bar, BarGroup } from '../charts/bars.js';
import type { Figure } from '../model.js';

/** A profiled kernel under the name that the reader knows it by. */
export interface Profiled {
  readonly name: string;
  readonly launch: ProfileLaunch;
}

/** The launch that does the multiplication. */
export const mainLaunch = ({ launches }: ProfileRow): ProfileLaunch | undefined =>
  launches.find(({ main }) => main) ?? launches[0];

const words = (name: string) => name.replaceAll('_', ' ');

/** As many reasons are drawn; what is left is in the table. */
const MOST_STALLS = 6;
const MOST_OPCODES = 12;

function numbersTable(
  first: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Table {
  return {
    columns: [{ title: first }, ...columns.map((title) => ({ title, align: 'right' as const }))],
    rows: rows.map((cells) => ({ cells })),
  };
}

/** Why warps waited: bars by reason, the worst named. Undefined where ncu gave no reasons. */
export function stallsFigure(id: string, at: string, profiled: readonly Profiled[]): Figure | undefined {
  const shown = profiled.filter(({ launch }) => launch.stalls.length > 0);
  if (shown.length === 0) return undefined;
  const of = ({ launch }: Profiled, reason: string) =>
    launch.stalls.find((stall) => stall.reason === reason)?.perIssue;
  const worst = (reason: string) => Math.max(...shown.map((one) => of(one, reason) ?? 0));
  const reasons = [...new Set(shown.flatMap(({ launch }) => launch.stalls.map(({ reason }) => reason)))].sort(
    (x, y) => worst(y) - worst(x),
  );
  const drawn = reasons.slice(0, MOST_STALLS);
  const top = ({ launch }: Profiled) => [...launch.stalls].sort((x, y) => y.perIssue - x.perIssue)[0];
  const groups = shown.map((one): BarGroup => {
    const worstOf = top(one);
    return {
      title: one.name,
      says: worstOf === undefined ? '' : `mostly ${words(worstOf.reason)}`,
      bars: drawn.map((reason): Bar => {
        const value = of(one, reason) ?? 0;
        return { name: words(reason), value, text: value.toFixed(2), strong: reason === worstOf?.reason };
      }),
    };
  });
  const says = shown.map((one) => {
    const worstOf = top(one);
    return worstOf === undefined
      ? ''
      : `${one.name}: ${words(worstOf.reason)}, ${worstOf.perIssue.toFixed(2)}`;
  });
  return {
    id: `${id}-stalls`,
    title: `Why warps wait at ${at}: cycles for each instruction issued`,
    says: `The longest wait of each. ${says.join('; ')}.`,
    chart: { kind: 'bars', oneScale: true, groups },
    table: numbersTable(
      'kernel',
      reasons.map(words),
      shown.map((one) => [one.name, ...reasons.map((reason) => of(one, reason)?.toFixed(3) ?? '–')]),
    ),
  };
}

const levels: Readonly<Record<ProfileOpcodes['level'], string>> = {
  executed: 'instructions executed',
  static: 'instructions in the machine code, not how often they ran',
};

/** Instructions by opcode, the multiply-adds apart, since they would dwarf the others. */
export function opcodesFigure(id: string, at: string, profiled: readonly Profiled[]): Figure | undefined {
  const all = profiled.flatMap(({ name, launch }) =>
    launch.opcodes === undefined ? [] : [{ name, opcodes: launch.opcodes }],
  );
  // What was executed is not set beside what stands in the code.
  const level = all.some(({ opcodes }) => opcodes.level === 'executed') ? 'executed' : 'static';
  const shown = all.filter(({ opcodes }) => opcodes.level === level);
  if (shown.length === 0) return undefined;
  const most = (code: string) => Math.max(...shown.map(({ opcodes }) => opcodes.counts[code] ?? 0));
  const codes = [...new Set(shown.flatMap(({ opcodes }) => Object.keys(opcodes.counts)))].sort(
    (x, y) => most(y) - most(x) || (x < y ? -1 : 1),
  );
  const drawn = codes.filter((code) => code !== 'FFMA').slice(0, MOST_OPCODES);
  const overhead = (opcodes: ProfileOpcodes) =>
    opcodes.overheadPerFfma === null ? '' : `, ${figure(opcodes.overheadPerFfma)} others for each FFMA`;
  return {
    id: `${id}-opcodes`,
    title: `${level === 'executed' ? 'Instructions executed' : 'Instructions in the machine code'} at ${at}, by opcode`,
    says:
      `Per warp, ${levels[level]}; FFMAs are not drawn. ` +
      `${shown.map(({ name, opcodes }) => `${name}: ${figure(opcodes.total)} in all${overhead(opcodes)}`).join('; ')}.`,
    chart: {
      kind: 'bars',
      oneScale: true,
      groups: shown.map(({ name, opcodes }) => ({
        title: name,
        says: `${figure(opcodes.counts.FFMA ?? 0)} FFMAs${overhead(opcodes)}`,
        bars: drawn.map((code, i) => {
          const value = opcodes.counts[code] ?? 0;
          return { name: code, value, text: figure(value), strong: i === 0 };
        }),
      })),
    },
    table: numbersTable(
      'opcode',
      shown.map(({ name }) => name),
      codes.map((code) => [code, ...shown.map(({ opcodes }) => figure(opcodes.counts[code] ?? 0))]),
    ),
  };
}

/** What the three panels show, by name of the metric. */
const panels = [
  { metric: 'warps.active', title: 'Warps that a scheduler holds', unit: '' },
  { metric: 'issue.active', title: 'Cycles in which it issues', unit: ' %' },
  { metric: 'stall.cyclesPerIssue', title: 'Cycles between two instructions of a warp', unit: '' },
] as const;

/** Warps to choose from, how often one is issued, and what each waits: three panels. */
export function schedulersFigure(id: string, at: string, profiled: readonly Profiled[]): Figure | undefined {
  const value = ({ launch }: Profiled, metric: string) => launch.metrics[metric] ?? undefined;
  const shown = profiled.filter((one) => panels.some(({ metric }) => value(one, metric) !== undefined));
  if (shown.length === 0) return undefined;
  const text = (one: Profiled, { metric, unit }: (typeof panels)[number]) => {
    const own = value(one, metric);
    return own === undefined ? '–' : `${own.toFixed(unit === '' ? 2 : 1)}${unit}`;
  };
  return {
    id: `${id}-schedulers`,
    title: `Warps and schedulers at ${at}`,
    says: `${shown
      .map(
        (one) =>
          `${one.name}: ${text(one, panels[0])} warps, issues in ${text(one, panels[1])} of cycles, ${text(one, panels[2])} cycles between instructions`,
      )
      .join('; ')}.`,
    chart: {
      kind: 'bars',
      oneScale: false,
      groups: panels.map((panel) => ({
        title: panel.title,
        bars: shown.map((one, i) => ({
          name: one.name,
          value: value(one, panel.metric) ?? 0,
          text: text(one, panel),
          strong: i === 0,
        })),
      })),
    },
    table: numbersTable(
      'kernel',
      panels.map(({ title }) => title.toLowerCase()),
      shown.map((one) => [one.name, ...panels.map((panel) => text(one, panel))]),
    ),
  };
}
