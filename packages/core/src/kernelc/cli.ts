import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { clearCache } from '../compile/compile-cache.js';
import { type CompilerName, compilerNames } from '../compile/compiler.js';
import { isFfmaError } from '../errors.js';
import type { GemmSizes } from '../gemm/specialise.js';
import { removeArtefacts } from './artefact-folder.js';
import { type BuildOptions, buildPackage } from './build.js';
import { reportTable } from './report-table.js';
import { type ShowOptions, showVariant } from './show.js';

/** Where the command writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

function compilerName(text: string): CompilerName {
  const known = compilerNames.find((name) => name === text);
  if (known === undefined) throw new InvalidArgumentError(`It must be one of ${compilerNames.join(', ')}.`);
  return known;
}

function jobCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
}

function collect(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), ...text.split(',')];
}

/** `1024` or `m×n×k`, separated by commas; may be repeated. */
function collectSizes(text: string, before: readonly GemmSizes[] | undefined): GemmSizes[] {
  const sizes = text.split(',').map((one) => {
    const extents = one.trim().split(/[x×]/i);
    const numbers = extents.map((extent) => (/^[1-9]\d{0,8}$/.test(extent) ? Number(extent) : Number.NaN));
    if (![1, 3].includes(numbers.length) || numbers.some(Number.isNaN)) {
      throw new InvalidArgumentError(`A size is written like 1024 or 1024x512x64, but is '${one}'.`);
    }
    const [m = 0, n = m, k = m] = numbers;
    return { m, n, k };
  });
  return [...(before ?? []), ...sizes];
}

function program(output: Output): Command {
  const root = new Command('ffma-kernelc')
    .description('Builds the kernels of the package in the current folder.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      writeErr: (text) => output.err(text.trimEnd()),
    });
  root
    .command('build')
    .description('compile kernels to dist/kernels, with a manifest')
    .option('--all-variants', 'every declared variant, not only those that are shipped')
    .option('--sizes <list>', 'and variants that have m, n and k compiled in, for these', collectSizes)
    .option('--cubin <arch>', 'also machine code, e.g. sm_90; may be repeated', collect)
    .option(
      '--cubins-of <ids>',
      'of these variants alone; may be repeated (default: all that are built)',
      collect,
    )
    .option('--jobs <count>', 'compilations at a time (default: one a core)', jobCount)
    .option('--compiler <name>', compilerNames.join(', '), compilerName)
    .option('--json', 'print the report as JSON')
    .action(async ({ cubin, json, ...options }: BuildOptions & { cubin?: string[]; json?: boolean }) => {
      const report = await buildPackage({ ...options, ...(cubin === undefined ? {} : { cubins: cubin }) });
      output.out(json === true ? JSON.stringify(report, undefined, 2) : reportTable(report));
    });
  root
    .command('show')
    .description('print what is compiled for a variant')
    .argument('<kernel>', 'name (k01) or variant id')
    .argument('[variant]', 'variant name (default: default)')
    .option('--ptx', 'the PTX that comes out of it')
    .option('--arch <arch>', 'architecture of the PTX (default: compute_90)')
    .option('--compiler <name>', compilerNames.join(', '), compilerName)
    .action(async (kernel: string, variant: string | undefined, options: Omit<ShowOptions, 'kernel'>) => {
      const text = await showVariant({ ...options, kernel, ...(variant === undefined ? {} : { variant }) });
      output.out(text.trimEnd());
    });
  root
    .command('clean')
    .description('remove the built kernels of this package')
    .option('--cache', 'and every cached compilation of this user')
    .action(async ({ cache }: { cache?: boolean }) => {
      await removeArtefacts(process.cwd());
      if (cache === true) await clearCache();
    });
  return root;
}

function explain(error: unknown): string {
  if (!isFfmaError(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const log = error.details?.log;
  return typeof log === 'string' && log !== '' ? `${error.message}\n\n${log}` : error.message;
}

/** Runs `ffma-kernelc`. Resolves with the exit code: 0 done, 1 failed, 2 asked for something that cannot be. */
export async function runCli(args: readonly string[], output: Output): Promise<0 | 1 | 2> {
  try {
    await program(output).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    output.err(`ffma-kernelc: ${explain(error)}`);
    return isFfmaError(error) && error.code === 'FFMA_ARGUMENT' ? 2 : 1;
  }
}
