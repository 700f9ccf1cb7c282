import { Option } from 'commander';
import { parseSizes, type Size } from '../bench/sizes.js';
import type { DeviceKind } from '../device/open-bench-device.js';
import { checkWritable } from '../result/output.js';
import type { SweepProtocol } from '../sweep/protocol.js';
import { parseShard, type Shard } from '../sweep/shard.js';
import { parseSet, type SearchSpace } from '../sweep/space.js';
import { UsageError } from '../usage-error.js';
import { argument, countOption, deviceOption, type FmaPath, fmaOption, sizesOption } from './options.js';

export interface SweepCommandOptions {
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

export function protocolFrom({
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
export async function exportTo({
  export: words,
  sizes = [],
}: SweepCommandOptions): Promise<string | undefined> {
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

export const usualSizes = (timed: boolean) => parseSizes(timed ? '4096' : '256');

const collect = <T>(parse: (text: string) => T) => {
  const checked = argument(parse);
  return (text: string, before: readonly T[] | undefined) => [...(before ?? []), checked(text)];
};

/** Every option of `ffma sweep`. */
export const sweepOptions = (): Option[] => [
  deviceOption(),
  sizesOption('sizes, separated by commas: n, or m×n×k (default: 4096 on a GPU, else 256)'),
  new Option('--space <file>', 'values to search, as JSON: { "BM": [64, 128] }'),
  new Option('--set <name=values>', 'values of one parameter, as BM=64,128; may be repeated').argParser(
    collect(parseSet),
  ),
  new Option(
    '--shard <i/n>',
    'only this part of the space, as 2/8; ffma merge puts parts together',
  ).argParser(argument(parseShard)),
  new Option('--json <file>', 'keep everything in a file, and a journal beside it meanwhile; - prints JSON'),
  new Option('--resume', 'go on where the file of --json, or its journal, ends'),
  new Option('--dry-run', 'show what would be done: candidates, rungs and an estimate'),
  new Option(
    '--reference <kernel>',
    'runs in every round (default: a kernel that says it is one; else, and for none, the default variant)',
  ),
  new Option('--by <counter>', 'on the emulator: rank by a counter, as overheadPerFfma, which is no time'),
  countOption('--finalists <count>', 'candidates in the final, at most (default: 5)'),
  countOption('--rounds <count>', 'rounds of the final (default: 15)'),
  countOption('--launches <count>', 'launches of each in a round of the final (default: 40)'),
  countOption('--seed <number>', 'decides who is timed beside whom (default: 1)'),
  new Option('--warm', 'leave the L2 cache as the launch before left it'),
  countOption('--jobs <count>', 'compilations at a time (default: one a core)'),
  countOption('--timeout <seconds>', 'what a case of a candidate may take (default: 120)'),
  new Option('--write', 'write winners to tuned.json beside the kernel, as variants of it'),
  new Option('--export <format-and-file...>', 'kernel-tuner FILE: also as a cache of Kernel Tuner'),
  fmaOption(),
];
