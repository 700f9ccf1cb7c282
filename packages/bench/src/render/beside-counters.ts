import type { BesideFigure, BesideRow } from '../profile/beside-counters.js';
import { shape } from './numbers.js';
import { renderMarkdown } from './table.js';

function shown(value: number | null): string {
  if (value === null) return '–';
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(3);
}

function off({ emulator, profiler }: BesideFigure): string {
  if (emulator === null || profiler === null) return '–';
  if (emulator === profiler) return 'equal';
  if (profiler === 0) return '–';
  const percent = 100 * (emulator / profiler - 1);
  return `${percent > 0 ? '+' : ''}${percent.toFixed(2)} %`;
}

const right = (title: string) => ({ title, align: 'right' as const });
const columns = [{ title: 'figure' }, right('emulator'), right('ncu'), right('emulator ÷ ncu − 1')];

/** A Markdown table for each kernel and size; the last column says whether counts are equal, and how far off others are. */
export function renderBesideCounters(rows: readonly BesideRow[]): string[] {
  return rows.flatMap(({ id, problem, figures }, i) => [
    ...(i === 0 ? [] : ['']),
    `### ${id}, ${shape(problem)}`,
    '',
    ...renderMarkdown({
      columns,
      rows: figures.map((figure) => ({
        cells: [`\`${figure.name}\``, shown(figure.emulator), shown(figure.profiler), off(figure)],
      })),
    }),
  ]);
}
