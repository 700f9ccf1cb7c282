import { parseCsv } from './csv.js';
import { ProfilerOutputError } from './errors.js';
import { OPCODES } from './opcode-metric.js';
import { unitFactor } from './units.js';

/** A launch as ncu printed it. */
export interface NcuLaunch {
  readonly kernel: string;
  readonly grid: readonly [number, number, number] | undefined;
  readonly block: readonly [number, number, number] | undefined;
  /** Figures in base units, by ncu's name; what ncu could not give is not in it. */
  readonly figures: ReadonlyMap<string, number>;
  /** Executed instructions by opcode; undefined where ncu did not count them. */
  readonly opcodes: ReadonlyMap<string, number> | undefined;
}

/** What the raw page says of a launch besides metrics. */
const FACTS = new Set([
  ...['ID', 'Process ID', 'Process Name', 'Host Name', 'Kernel Name', 'Context', 'Stream', 'Block Size'],
  ...['Grid Size', 'Device', 'CC', 'Kernel Time', 'Section Name', 'Thread Domain', 'Push/Pop_Range'],
]);
const isMetric = (title: string) => !FACTS.has(title) && /^[a-z]\w*__?\w|^memory_|^inst_/.test(title);

/** `(128, 1, 1)`, also as ncu 2019 to 2021 write it: `128, 1, 1`. */
function extent(text: string | undefined): [number, number, number] | undefined {
  const found = /^\(?\s*(\d+)[,\s]+(\d+)[,\s]+(\d+)\s*\)?$/.exec(text ?? '');
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
}

const NUMBER = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const NOTHING = /^(?:|n\/a|-|[+-]?nan|[+-]?inf(?:inity)?|no data|\(!\) n\/a)$/i;

/** A number with or without separators of thousands; undefined where ncu has none. */
function numberOf(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text.replaceAll(',', '')) : undefined;
}

/** `12 (FFMA: 8; LDS: 4)`: the figure, and its parts where they have names. */
function split(text: string): { readonly whole: string; readonly parts: string | undefined } {
  const found = /^([^(]*)\((.*)\)$/s.exec(text);
  const whole = found?.[1]?.trim();
  return whole ? { whole, parts: found?.[2] } : { whole: text.trim(), parts: undefined };
}

function partsOf(text: string, where: string): Map<string, number> {
  const parts = new Map<string, number>();
  for (const item of text.split(/;\s*/).filter((each) => each.trim() !== '')) {
    const colon = item.lastIndexOf(':');
    const name = item.slice(0, Math.max(0, colon)).trim();
    const value = numberOf(item.slice(colon + 1).trim());
    if (name === '' || value === undefined || parts.has(name))
      throw new ProfilerOutputError(
        `${where} has the part '${item}', which is no name with a number of its own`,
      );
    parts.set(name, value);
  }
  return parts;
}

/** The table's rows; everything before it is what ncu and the program say. */
function tableOf(text: string): string[][] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => /^"?ID"?,/.test(line));
  if (start < 0) throw new ProfilerOutputError('it has no table that begins with "ID"');
  const rest = lines.slice(start).filter((line) => !line.startsWith('==') && line !== '');
  try {
    return parseCsv(rest.join('\n'));
  } catch (error) {
    throw new ProfilerOutputError((error as Error).message, { cause: error });
  }
}

function launchOf(titles: readonly string[], units: readonly string[], cells: readonly string[]): NcuLaunch {
  const figures = new Map<string, number>();
  let opcodes: ReadonlyMap<string, number> | undefined;
  const cell = (title: string) => cells[titles.indexOf(title)];
  for (const [i, title] of titles.entries()) {
    if (!isMetric(title)) continue;
    const { whole, parts: inside } = split(cells[i] as string);
    if (NOTHING.test(whole)) continue;
    const value = numberOf(whole);
    const where = `${title} of launch ${cell('ID')}`;
    // Device attributes and the like are words.
    if (value === undefined && /^(?:device|launch|profiler)__/.test(title)) continue;
    if (value === undefined) throw new ProfilerOutputError(`${where} is '${whole}', which is no number`);
    // 67.1 Mbyte are 67100000 bytes, not a rounding error less.
    figures.set(title, Number((value * unitFactor(units[i] as string)).toPrecision(15)));
    // Other figures have parts by address, which say nothing here.
    if (title === OPCODES && inside !== undefined) opcodes = partsOf(inside, where);
  }
  return {
    kernel: cell('Kernel Name') as string,
    grid: extent(cell('Grid Size')),
    block: extent(cell('Block Size')),
    figures,
    opcodes,
  };
}

/**
 * Reads what `ncu --csv --page raw` prints: messages, a row of titles, a row of units, and a row for each launch.
 * @throws ProfilerOutputError naming what it cannot understand
 */
export function parseRawPage(text: string): NcuLaunch[] {
  const [titles = [], units = [], ...rows] = tableOf(text);
  if (!titles.includes('Kernel Name')) throw new ProfilerOutputError('its table has no column "Kernel Name"');
  const id = titles.indexOf('ID');
  if (units[id] !== '') throw new ProfilerOutputError('its second row are not the units of the first');
  const odd = [units, ...rows].find(({ length }) => length !== titles.length);
  if (odd !== undefined)
    throw new ProfilerOutputError(`a row has ${odd.length} cells under ${titles.length} titles`);
  return rows.map((cells) => launchOf(titles, units, cells));
}
