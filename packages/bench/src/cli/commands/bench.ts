import type { Device } from '@ffma/core';
import { Command } from 'commander';
import { registersOf } from '../../bench/compiled.js';
import type { RunBenchOptions } from '../../bench/options.js';
import { runBench } from '../../bench/run-bench.js';
import { parseSizes, type Size } from '../../bench/sizes.js';
import { compilerAtHand } from '../../device/compile-here.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import { renderBench, renderBenchMarkdown } from '../../render/bench.js';
import { chooseReference } from '../../timing/reference.js';
import { isTiming } from '../../timing/timing-device.js';
import { UsageError } from '../../usage-error.js';
import type { Io } from '../io.js';
import { exitCodeOf, type Measuring, measuring } from '../measuring.js';
import {
  allVariantsOption,
  compileOption,
  countOption,
  deviceOption,
  type FmaPath,
  fmaOption,
  sizesOption,
} from '../options.js';

interface BenchCommandOptions {
  readonly device: DeviceKind;
  readonly fma: FmaPath;
  readonly sizes?: readonly Size[];
  readonly reference?: string;
  readonly rounds?: number;
  readonly launches?: number;
  readonly warm?: true;
  readonly compile?: true;
  readonly allVariants?: true;
  readonly json?: string;
  readonly resume?: true;
  readonly markdown?: true;
  readonly sites?: true;
  readonly l2?: true;
}

/** How times are to be taken. @throws UsageError where the device gives none */
function timingOf(
  device: Device,
  options: BenchCommandOptions,
): Pick<RunBenchOptions, 'protocol' | 'reference'> {
  const { reference, rounds, launches, warm, resume } = options;
  const asked = Object.entries({ reference, rounds, launches, warm, resume }).filter(
    ([, value]) => value !== undefined,
  );
  if (asked.length > 0 && !isTiming(device)) {
    throw new UsageError(`--${asked[0]?.[0]} is about times, and ${device.name} has no clock of a GPU.`, {
      remedy: 'Leave it out to count, or use --device cuda.',
    });
  }
  return {
    reference,
    protocol: {
      ...(rounds === undefined ? {} : { rounds }),
      ...(launches === undefined ? {} : { launches }),
      ...(warm === undefined ? {} : { l2: 'warm' }),
    },
  };
}

/** @throws UsageError for what only a device that counts can show */
function checkCounting(device: Device, { sites, l2 }: BenchCommandOptions): void {
  const [asked] = Object.entries({ sites, l2 }).find(([, value]) => value !== undefined) ?? [];
  if (asked !== undefined && isTiming(device)) {
    throw new UsageError(`--${asked} is about counters, and ${device.name} counts nothing.`, {
      remedy: 'Use --device emulator.',
    });
  }
}

async function bench(io: Io, selectors: readonly string[], options: BenchCommandOptions): Promise<void> {
  const work = async (parts: Measuring) => {
    const discovery = await discoverKernels(io.cwd);
    const selected = selectKernels(discovery, selectors, options);
    const compile = options.compile ?? (options.allVariants ? await compilerAtHand() : undefined);
    if (options.reference !== undefined) chooseReference(discovery, options.reference);
    const counters = options.l2 ? { l2: { registers: registersOf(selected) } } : true;
    await using device = await openBenchDevice({ kind: options.device, fma: options.fma, counters });
    checkCounting(device, options);
    return await runBench(device, selected, {
      sizes: options.sizes ?? parseSizes(isTiming(device) ? '1024,2048,4096' : '256'),
      discovery,
      compile,
      ...timingOf(device, options),
      ...parts,
    });
  };
  const result = await measuring(io, options, work, (found, style, width) =>
    options.markdown ? renderBenchMarkdown(found, options) : renderBench(found, style, width, options),
  );
  io.exitCode = exitCodeOf(result, options.reference !== undefined);
}

export function benchCommand(io: Io): Command {
  return new Command('bench')
    .argument('[kernels...]', 'which kernels; all of them if none is named')
    .addOption(deviceOption())
    .addOption(
      sizesOption(
        'sizes, separated by commas: n, or m×n×k as 1024x512x64 (default: 1024,2048,4096 on a GPU, else 256)',
      ),
    )
    .option('--reference <kernel>', 'time beside this one, or none (default: a kernel that says it is one)')
    .addOption(countOption('--rounds <count>', 'alternating rounds (default: 15)'))
    .addOption(countOption('--launches <count>', 'timed launches of each in a round (default: 40)'))
    .option('--warm', 'leave the L2 cache as the launch before left it')
    .option('--json <file>', 'write the result to a file, for ffma report; - prints it instead of the table')
    .option('--resume', 'keep the sizes that the file of --json has, where they were timed in the same way')
    .option('--markdown', 'print Markdown')
    .option('--sites', 'on the emulator: also what each line of the source does that accesses memory')
    .option('--l2', 'on the emulator: also model the L2 cache, which takes several times as long')
    .addOption(fmaOption())
    .addOption(allVariantsOption())
    .addOption(compileOption())
    .action((kernels: string[], options: BenchCommandOptions) => bench(io, kernels, options));
}
