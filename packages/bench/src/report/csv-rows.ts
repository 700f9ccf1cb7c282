import { figures } from '../bench/figures.js';
import type { ComparedRow, ComparisonResult } from '../compare/schema.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { ReportInput } from './inputs.js';

/** Columns of the CSV, in their order: a program may rely on them. New ones come at the end. */
export const csvColumns = [
  'file',
  'created_at',
  'experiment',
  'experiment_rows',
  'device',
  'driver',
  'package',
  'kernel',
  'id',
  'specialised',
  'm',
  'n',
  'k',
  'batch',
  'alpha',
  'beta',
  'status',
  'unranked',
  'median_us',
  'min_us',
  'max_us',
  'tflops',
  'reference',
  'percent_of_reference',
  'percent_min',
  'percent_max',
  'rounds_faster',
  'rounds',
  'ran_as',
  'math_mode',
  'sha256',
  ...figures.map(({ name }) => name.replaceAll('.', '_').replaceAll(/[A-Z]/g, (l) => `_${l.toLowerCase()}`)),
  'verdict',
  'compared_by',
  'change_percent',
  'change_low',
  'change_high',
  'base_median_us',
] as const;

/** Values by column, those that are not there left out. */
export type CsvRow = Readonly<Record<string, string | number | undefined>>;

function rowOf(file: string, result: BenchResult, row: ResultRow): CsvRow {
  const { device, experiment } = result;
  const { times, artefact, counters, problem } = row;
  const { ratio } = times ?? {};
  const isOf = ({ kernels }: { readonly kernels: readonly { id: string; package: string }[] }) =>
    kernels.some((one) => one.id === row.id && one.package === row.package.name);
  const counted = figures.map(({ name }) => counters?.values[name] ?? undefined);
  const values = [
    file,
    result.createdAt,
    experiment?.name,
    experiment?.rows
      .filter(isOf)
      .map(({ name }) => name)
      .join('; '),
    device.name,
    device.details.driver as string | undefined,
    // Alone, a name that begins with @ would be a formula to a spreadsheet.
    `npm:${row.package.name}@${row.package.version}`,
    row.kernel,
    row.id,
    row.specialised ? 'yes' : 'no',
    problem.m,
    problem.n,
    problem.k,
    problem.batch ?? 1,
    problem.alpha,
    problem.beta,
    row.correctness.status,
    row.unranked,
    times?.medianUs,
    times?.minUs,
    times?.maxUs,
    times?.tflops,
    ratio?.to.id,
    ratio && ratio.median * 100,
    ratio && ratio.min * 100,
    ratio && ratio.max * 100,
    ratio?.wins,
    ratio?.rounds,
    artefact?.ranAs,
    artefact === undefined ? undefined : (artefact.mathMode ?? 'fp32'),
    artefact?.sha256,
    ...counted,
  ];
  return Object.fromEntries(csvColumns.map((column, i) => [column, values[i]]));
}

/** A row of a comparison; what is there of both sides is of the new one. */
function comparedRow(file: string, result: ComparisonResult, row: ComparedRow): CsvRow {
  const { package: owner, problem, change, interval } = row;
  const pair = result.pairs[row.pair]?.new;
  const inPercent = (share: number | undefined) => share && share * 100;
  return {
    file,
    created_at: result.createdAt,
    experiment: pair?.experiment,
    device: pair?.device.name,
    driver: pair?.device.driver,
    package: `npm:${owner}@${row.new.version}`,
    kernel: row.kernel,
    id: row.id,
    m: problem.m,
    n: problem.n,
    k: problem.k,
    batch: problem.batch ?? 1,
    alpha: problem.alpha,
    beta: problem.beta,
    median_us: row.new.medianUs,
    reference: row.reference?.id,
    verdict: row.verdict,
    compared_by: row.by,
    change_percent: inPercent(change),
    change_low: inPercent(interval?.low),
    change_high: inPercent(interval?.high),
    base_median_us: row.base.medianUs,
  } satisfies Partial<Record<(typeof csvColumns)[number], CsvRow[string]>>;
}

function rowsOf({ file, result }: ReportInput): CsvRow[] {
  if (result.kind === 'bench') return result.rows.map((row) => rowOf(file, result, row));
  if (result.kind === 'comparison') return result.rows.map((row) => comparedRow(file, result, row));
  return [];
}

/** A row a kernel and size, of every benchmark and comparison. */
export const csvRows = (inputs: readonly ReportInput[]): CsvRow[] => inputs.flatMap(rowsOf);
