import { Command, Option } from 'commander';
import { parseSizes, type Size } from '../../bench/sizes.js';
import { compilerAtHand } from '../../device/compile-here.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { type SelectedKernel, selectKernels } from '../../discover/select.js';
import { planProfile } from '../../profile/dry-run.js';
import type { ProfileOptions } from '../../profile/options.js';
import { profile } from '../../profile/profile.js';
import type { ProfileResult } from '../../profile/schema.js';
import { renderProfile, renderProfileMarkdown } from '../../render/profile.js';
import { renderProfileDetails } from '../../render/profile-details.js';
import { renderPlannedProfiles } from '../../render/profile-plan.js';
import { checkWritable, writeAtomically } from '../../result/output.js';
import { stringifyResult } from '../../result/store.js';
import { INTERRUPTED, RIGHT, WRONG } from '../exit-codes.js';
import { type Io, interruptible, look, print, printJson } from '../io.js';
import { allVariantsOption, compileOption, countOption, sizesOption, warmUpsOption } from '../options.js';
import { progressOn } from '../progress.js';

interface ProfileCommandOptions {
  readonly sizes?: readonly Size[];
  readonly cache: 'cold' | 'warm';
  readonly warmUps: number;
  readonly timeout?: number;
  readonly dryRun?: true;
  readonly details?: true;
  readonly markdown?: true;
  readonly json?: string;
  readonly allVariants?: true;
  readonly compile?: true;
}

type Asked = Pick<ProfileOptions, 'sizes' | 'cache' | 'warmUps' | 'compile'>;

async function dryRun(
  io: Io,
  selected: readonly SelectedKernel[],
  asked: Asked,
  json: boolean,
): Promise<void> {
  const planned = await planProfile(selected, asked);
  if (json) return printJson(io, planned);
  print(io, renderPlannedProfiles(planned, look(io).width));
}

function show(io: Io, result: ProfileResult, { details, markdown, json }: ProfileCommandOptions): void {
  const { style, width } = look(io);
  if (json === '-') io.stdout.write(stringifyResult(result));
  else if (markdown) print(io, renderProfileMarkdown(result));
  else print(io, renderProfile(result, style, width));
  if (details && json !== '-') print(io, renderProfileDetails(result, style, width));
}

async function profileCommandOf(
  io: Io,
  selectors: readonly string[],
  options: ProfileCommandOptions,
): Promise<void> {
  const { json, cache, warmUps, timeout } = options;
  const discovery = await discoverKernels(io.cwd);
  const selected = selectKernels(discovery, selectors, options);
  const compile = options.compile ?? (options.allVariants ? await compilerAtHand() : undefined);
  const asked = { sizes: options.sizes ?? parseSizes('1024,4096'), cache, warmUps, compile };
  if (options.dryRun) return dryRun(io, selected, asked, json === '-');
  const file = json === '-' ? undefined : json;
  const { regular } = file === undefined ? { regular: false } : await checkWritable(file);
  using progress = progressOn(io.stderr);
  using interrupt = interruptible(io, (text) => {
    progress.clear();
    io.stderr.write(`${text}\n`);
  });
  const result = await profile(selected, {
    ...asked,
    discovery,
    env: io.env,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    signal: interrupt.signal,
    onStep: progress.show,
    // A pipe gets the result once, when it is whole.
    onRow: (_, soFar) =>
      file !== undefined && regular ? writeAtomically(file, stringifyResult(soFar)) : undefined,
  });
  progress.clear();
  if (file !== undefined) await writeAtomically(file, stringifyResult(result));
  show(io, result, options);
  const all = result.rows.every(({ status }) => status === 'profiled');
  io.exitCode = result.interrupted ? INTERRUPTED : all && result.rows.length > 0 ? RIGHT : WRONG;
}

export function profileCommand(io: Io): Command {
  return new Command('profile')
    .argument('[kernels...]', 'which kernels; all of them if none is named')
    .addOption(sizesOption('sizes, separated by commas: n, or m×n×k (default: 1024,4096)'))
    .addOption(
      new Option('--cache <state>', 'cold: flushed before each pass of the profiler; warm: left as it is')
        .choices(['cold', 'warm'])
        .default('cold'),
    )
    .addOption(warmUpsOption('multiplications before the one that is profiled'))
    .addOption(
      countOption(
        '--timeout <seconds>',
        'end the profiler of a multiplication after this long (default: 600)',
      ),
    )
    .option('--details', 'also every figure of every launch, with its meaning; stalls and opcodes')
    .option('--json <file>', 'write the result to a file; - prints it instead of the tables')
    .option('--markdown', 'print Markdown')
    .option('--dry-run', 'print the commands of ncu instead of running them')
    .addOption(allVariantsOption())
    .addOption(compileOption())
    .action((kernels: string[], options: ProfileCommandOptions) => profileCommandOf(io, kernels, options));
}
