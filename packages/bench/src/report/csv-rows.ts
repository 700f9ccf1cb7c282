import { figures } from '../bench/figures.js';
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

/** A row a kernel and size, of every benchmark. */
export const csvRows = (inputs: readonly ReportInput[]): CsvRow[] =>
  inputs.flatMap(({ file, result }) =>
    result.kind === 'bench' ? result.rows.map((row) => rowOf(file, result, row)) : [],
  );
