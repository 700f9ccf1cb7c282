import type { BuildReport, BuiltArtefact } from './build.js';

type Row = readonly string[];

/** Columns padded to equal width; all but the first two are figures and stand to the right. */
function aligned(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function row({ id, arch, registers, sharedBytes, spillBytes, byteLength, cached }: BuiltArtefact): Row {
  const figure = (value: number | undefined) => (value === undefined ? '?' : String(value));
  return [
    id,
    arch,
    figure(registers),
    figure(sharedBytes),
    figure(spillBytes),
    String(byteLength),
    cached ? 'cache' : 'built',
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** One line: what was made, by what, in what time. */
export function summaryLine({ artefacts, manifest, elapsedMs }: BuildReport): string {
  const variants = new Set(artefacts.map(({ id }) => id)).size;
  const compilers = [...new Set(artefacts.map(({ compiler }) => compiler))].join(', ') || 'no compiler';
  const cached = artefacts.filter((artefact) => artefact.cached).length;
  return (
    `${manifest.package}: ${counted(artefacts.length, 'artefact')} of ${counted(variants, 'variant')} ` +
    `by ${compilers} in ${(elapsedMs / 1000).toFixed(1)} s, ${cached} from the cache.`
  );
}

/** A line for each artefact, and the summary. `?` stands where no ptxas was at hand to tell. */
export function reportTable(report: BuildReport): string {
  const head: Row = ['variant', 'arch', 'registers', 'shared B', 'spilled B', 'size B', 'from'];
  return `${aligned([head, ...report.artefacts.map(row)])}\n${summaryLine(report)}`;
}
