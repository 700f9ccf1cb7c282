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

const figure = (value: number | undefined) => (value === undefined ? '?' : String(value));

/** A line for the file with what its entry `main` uses, and one for each other entry. */
function rowsOf({ id, arch, symbols, resources, byteLength, cached }: BuiltArtefact): Row[] {
  const used = (entry: string) => {
    const own = resources?.[entry];
    return [figure(own?.registers), figure(own?.sharedBytes), figure(own?.spillBytes)];
  };
  const others = Object.keys(symbols).filter((entry) => entry !== 'main');
  return [
    [id, arch, ...used('main'), String(byteLength), cached ? 'cache' : 'built'],
    ...others.map((entry) => [`  ${entry}`, '', ...used(entry), '', '']),
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

const NOT_REPRODUCIBLE =
  'Built again, some of these may have other bytes: setarch -R, which fixes the addresses of the compiler, cannot be\n' +
  'used here, or NVRTC compiled them.';

/** A line for each entry of each artefact, and the summary. `?` stands where no ptxas was at hand to tell. */
export function reportTable(report: BuildReport): string {
  const head: Row = ['variant', 'arch', 'registers', 'shared B', 'spilled B', 'size B', 'from'];
  const lines = [aligned([head, ...report.artefacts.flatMap(rowsOf)]), summaryLine(report)];
  if (report.artefacts.some(({ reproducible }) => reproducible === false)) lines.push(NOT_REPRODUCIBLE);
  return lines.join('\n');
}
