import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Device } from '@ffma/core';
import { Command, Option } from 'commander';
import { parseSizes, type Size } from '../../bench/sizes.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { type SelectedKernel, selectKernels } from '../../discover/select.js';
import { renderSweep } from '../../render/sweep.js';
import { renderSweepPlan } from '../../render/sweep-plan.js';
import { wrap } from '../../render/text.js';
import { checkWritable, writeAtomically } from '../../result/output.js';
import { stringifyResult } from '../../result/store.js';
import { kernelTunerCache } from '../../sweep/kernel-tuner.js';
import { planSweep } from '../../sweep/plan-sweep.js';
import { type SweepProtocol, sweepProtocol } from '../../sweep/protocol.js';
import type { SweepResult } from '../../sweep/schema.js';
import { parseShard, type Shard } from '../../sweep/shard.js';
import { parseSet, readSpace, type SearchSpace } from '../../sweep/space.js';
import { journalOf } from '../../sweep/store.js';
import { sweep } from '../../sweep/sweep.js';
import { winnersFile, writeWinners } from '../../sweep/write-winner.js';
import { peakOf } from '../../timing/peak.js';
import { isTiming } from '../../timing/timing-device.js';
import { UsageError } from '../../usage-error.js';
import { INTERRUPTED, RIGHT, WRONG } from '../exit-codes.js';
import { commandOf, type Io, interruptible, look, print, printJson } from '../io.js';
import { argument, countOption, deviceOption, type FmaPath, fmaOption, sizesOption } from '../options.js';
import { progressOn } from '../progress.js';

interface SweepCommandOptions {
  readonly device: DeviceKind;
  readonly fma: FmaPath;
  readonly sizes?: readonly Size[];
  readonly space?: string;
  readonly set?: readonly SearchSpace[];
  readonly shard?: Shard;
  readonly reference?: string;
  readonly by?: string;
  readonly finalists?: number;
  readonly rounds?: number;
  readonly launches?: number;
  readonly seed?: number;
  readonly warm?: true;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly json?: string;
  readonly resume?: true;
  readonly dryRun?: true;
  readonly write?: true;
  readonly export?: readonly string[];
}

function protocolFrom({
  finalists,
  rounds,
  launches,
  seed,
  warm,
}: SweepCommandOptions): Partial<SweepProtocol> {
  return {
    ...(finalists === undefined ? {} : { finalists }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(launches === undefined ? {} : { launches }),
    ...(seed === undefined ? {} : { seed }),
    ...(warm === undefined ? {} : { l2: 'warm' as const }),
  };
}

/** Where a cache of Kernel Tuner goes. @throws UsageError */
async function exportTo({ export: words, sizes = [] }: SweepCommandOptions): Promise<string | undefined> {
  if (words === undefined) return undefined;
  const [format, file, ...others] = words;
  if (format !== 'kernel-tuner' || file === undefined || others.length > 0) {
    throw new UsageError(`--export takes a format and a file, but got '${words.join(' ')}'.`, {
      remedy: 'Write --export kernel-tuner cache.json, behind the kernel.',
    });
  }
  if (sizes.length > 1) {
    throw new UsageError(`A cache of Kernel Tuner is of one size, but ${sizes.length} are swept.`, {
      remedy: 'Name one by --sizes; with --resume, nothing is measured again.',
    });
  }
  await checkWritable(file);
  return file;
}

/** The same command again, to go on. */
function againText(io: Io, words: readonly string[]): string {
  const quoted = words.map((word) =>
    /^[\w@%+=:,./×-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return [commandOf(io), ...quoted, ...(words.includes('--resume') ? [] : ['--resume'])].join(' ');
}

/** 0 where something was right and ranked, and nothing was wrong. */
function exitCodeOf({ interrupted, variants, sizes, identity }: SweepResult): number {
  if (interrupted) return INTERRUPTED;
  const wrong = variants.some(({ outcome }) => outcome === 'wrong');
  const empty =
    identity.rankedBy === 'nothing'
      ? variants.length > 0 && !variants.some(({ outcome }) => outcome === 'built')
      : variants.length > 0 && sizes.some(({ ranking }) => ranking.length === 0);
  return wrong || empty ? WRONG : RIGHT;
}

const usualSizes = (timed: boolean) => parseSizes(timed ? '4096' : '256');

async function kernelNamed(io: Io, selector: string) {
  const discovery = await discoverKernels(io.cwd);
  const [selected, ...others] = selectKernels(discovery, [selector]);
  if (selected === undefined || others.length > 0)
    throw new UsageError(`'${selector}' is ${others.length + 1} kernels; a sweep searches the space of one.`);
  return { discovery, selected };
}

async function dryRun(
  io: Io,
  selected: SelectedKernel,
  device: Device,
  space: readonly SearchSpace[],
  options: SweepCommandOptions,
) {
  const protocol = sweepProtocol(protocolFrom(options));
  // Where there is no GPU yet, as on the host that hands out shards, the schedule is that of one.
  const timed = options.device !== 'emulator';
  const plan = planSweep(selected, {
    sizes: options.sizes ?? usualSizes(timed),
    space,
    shard: options.shard,
    protocol,
  });
  if (options.json === '-') {
    const { pruned, own, sizes } = plan;
    const { candidates: _, ...counts } = pruned;
    return printJson(io, {
      kernel: selected.kernel.name,
      space: plan.space,
      ...counts,
      candidates: own.map(({ id }) => id),
      sizes,
      protocol,
    });
  }
  const peak = isTiming(device) ? peakOf(device) : 'none';
  const machine = {
    jobs: options.jobs ?? availableParallelism(),
    peakTflops: typeof peak === 'string' ? undefined : peak.tflops,
  };
  const { style, width } = look(io);
  print(io, renderSweepPlan(plan, protocol, machine, timed, style, width));
}

async function runSweep(
  io: Io,
  selector: string,
  options: SweepCommandOptions,
  words: readonly string[],
): Promise<void> {
  const { json, by, shard, reference, jobs } = options;
  const file = json === '-' ? undefined : json;
  const exported = await exportTo(options);
  const space = [
    ...(options.space === undefined ? [] : [await readSpace(options.space)]),
    ...(options.set ?? []),
  ];
  const { discovery, selected } = await kernelNamed(io, selector);
  await using device = await openBenchDevice({
    kind: options.device,
    fma: options.fma,
    counters: by !== undefined,
  });
  if (options.dryRun) return dryRun(io, selected, device, space, options);
  if (options.write) {
    winnersFile(selected.kernel);
    if (!isTiming(device))
      throw new UsageError(`--write keeps what is fastest, and ${device.name} has no clock of a GPU.`);
  }
  if (exported !== undefined && !isTiming(device))
    throw new UsageError(`--export writes times, and ${device.name} has no clock of a GPU.`);
  using progress = progressOn(io.stderr);
  const { style, width } = look(io);
  const say = (text: string) => {
    progress.clear();
    // A command is not wrapped: it is there to be copied.
    const [first = '', ...command] = text.split('\n');
    const lines = io.stderr.isTTY === true ? wrap(first, width) : [first];
    io.stderr.write(`${[...lines, ...command].join('\n')}\n`);
  };
  using interrupt = interruptible(io, say);
  const sizes = options.sizes ?? usualSizes(isTiming(device));
  const resume = options.resume === true;
  const howOn =
    file === undefined
      ? 'Nothing was kept, as there was no --json FILE.'
      : `Go on with:\n${againText(io, words)}`;
  const parts = {
    sizes,
    discovery,
    space,
    shard,
    reference,
    by,
    jobs,
    file,
    resume,
    caseTimeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    protocol: protocolFrom(options),
  };
  const result = await sweep(device, selected, {
    ...parts,
    signal: interrupt.signal,
    onStep: progress.show,
    onNote: say,
  }).catch((error: unknown) => {
    progress.clear();
    // What went wrong may have left a kernel running, which nothing can stop.
    io.leftRunning = true;
    if (file !== undefined && existsSync(journalOf(file)) && !(error instanceof UsageError))
      say(`What was found out so far is in ${journalOf(file)}. ${howOn}`);
    throw error;
  });
  progress.clear();
  if (json === '-') io.stdout.write(stringifyResult(result));
  else print(io, renderSweep(result, style, width));
  io.exitCode = exitCodeOf(result);
  if (result.interrupted) {
    io.leftRunning = true;
    say(howOn);
    return;
  }
  if (exported !== undefined)
    await writeAtomically(
      exported,
      `${JSON.stringify(kernelTunerCache(result, sizes[0] as Size), null, 1)}\n`,
    );
  if (options.write) {
    for (const { name, size, path } of await writeWinners(selected.kernel, result))
      say(`The winner at ${size} is ${selected.kernel.name}/${name} now, in ${path}.`);
  }
}

const collect = <T>(parse: (text: string) => T) => {
  const checked = argument(parse);
  return (text: string, before: readonly T[] | undefined) => [...(before ?? []), checked(text)];
};

export function sweepCommand(io: Io): Command {
  return new Command('sweep')
    .argument('<kernel>', 'a kernel that declares values to search')
    .addOption(deviceOption())
    .addOption(sizesOption('sizes, separated by commas: n, or m×n×k (default: 4096 on a GPU, else 256)'))
    .option('--space <file>', 'values to search, as JSON: { "BM": [64, 128] }')
    .addOption(
      new Option('--set <name=values>', 'values of one parameter, as BM=64,128; may be repeated').argParser(
        collect(parseSet),
      ),
    )
    .addOption(
      new Option(
        '--shard <i/n>',
        'only this part of the space, as 2/8; ffma merge puts parts together',
      ).argParser(argument(parseShard)),
    )
    .option('--json <file>', 'keep everything in a file, and a journal beside it meanwhile; - prints JSON')
    .option('--resume', 'go on where the file of --json, or its journal, ends')
    .option('--dry-run', 'show what would be done: candidates, rungs and an estimate')
    .option(
      '--reference <kernel>',
      'runs in every round (default: a kernel that says it is one; else, and for none, the default variant)',
    )
    .option('--by <counter>', 'on the emulator: rank by a counter, as overheadPerFfma, which is no time')
    .addOption(countOption('--finalists <count>', 'candidates in the final, at most (default: 5)'))
    .addOption(countOption('--rounds <count>', 'rounds of the final (default: 15)'))
    .addOption(countOption('--launches <count>', 'launches of each in a round of the final (default: 40)'))
    .addOption(countOption('--seed <number>', 'decides who is timed beside whom (default: 1)'))
    .option('--warm', 'leave the L2 cache as the launch before left it')
    .addOption(countOption('--jobs <count>', 'compilations at a time (default: one a core)'))
    .addOption(countOption('--timeout <seconds>', 'what a case of a candidate may take (default: 120)'))
    .option('--write', 'write winners to tuned.json beside the kernel, as variants of it')
    .option('--export <format-and-file...>', 'kernel-tuner FILE: also as a cache of Kernel Tuner')
    .addOption(fmaOption())
    .action((kernel: string, options: SweepCommandOptions, command: Command) =>
      runSweep(
        io,
        kernel,
        options,
        (command.parent as { rawArgs?: string[] } | null)?.rawArgs ?? ['sweep', kernel],
      ),
    );
}
