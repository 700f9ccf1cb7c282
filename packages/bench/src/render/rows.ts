import type { BenchResult, ResultRow } from '../result/schema.js';
import { shape } from './numbers.js';
import type { Style } from './style.js';
import { hang } from './text.js';

/** How a row is called beside others: its short name where that is not ambiguous, else its id. */
export function nameOf(row: ResultRow, rows: readonly ResultRow[]): string {
  const ids = rows.filter(({ kernel }) => kernel === row.kernel).map(({ id }) => id);
  return new Set(ids).size > 1 ? row.id : row.kernel;
}

export function sizeOf({ problem }: Pick<ResultRow, 'problem'>): string {
  return shape(problem);
}

/** The rows of each size, sizes in the order met. */
export function sizesOf(rows: readonly ResultRow[]): ResultRow[][] {
  const sizes = [...new Set(rows.map(sizeOf))];
  return sizes.map((size) => rows.filter((row) => sizeOf(row) === size));
}

/** Where and by what a result was made, as one line. */
export function heading({ device, host, tool }: BenchResult): string {
  const { fma, driver, uuid, gpu } = device.details;
  const more = [
    device.arch,
    ...(fma === undefined ? [] : [`FMA ${fma}`]),
    ...(driver === undefined ? [] : [`driver ${driver}`]),
    ...(uuid === undefined ? [] : [`${uuid}`]),
    ...(gpu === undefined ? [] : [`GPU ${String(gpu).slice(0, 8)}`]),
  ];
  return `${device.name} (${more.join(', ')}) · ${host.cpu} · @ffma/bench ${tool['@ffma/bench']} · Node ${host.node}`;
}

/** Rows that carry no measurement, or none beside the reference, with the reason. */
export function unrankedLines(rows: readonly ResultRow[], style: Style, width: number): string[] {
  const lines = (row: ResultRow, word: string, why: string) =>
    hang(`${word}  ${nameOf(row, rows)} ${sizeOf(row)}: `, why, width);
  return rows
    .filter(({ asked }) => asked)
    .flatMap((row) => {
      const { status, failures, ran } = row.correctness;
      const why = failures.join(' ') || 'nothing ran';
      if (status === 'failed') return lines(row, style.red(ran === false ? 'not run' : 'wrong'), why);
      if (status === 'refused') return lines(row, style.yellow('refused'), why);
      if (row.unranked === undefined) return [];
      return lines(
        row,
        row.times === undefined ? style.red('invalid') : style.yellow('unranked'),
        row.unranked,
      );
    });
}
