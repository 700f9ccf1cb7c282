import { type Command, Option } from 'commander';
import { parseSizes, type Size } from '../bench/sizes.js';
import { parseNumber, parseShare, parseSpan } from '../config/quantities.js';
import type { BenchFields } from '../config/settings.js';
import type { DeviceKind } from '../device/open-bench-device.js';
import {
  allVariantsOption,
  argument,
  compileOption,
  countOption,
  deviceOption,
  type FmaPath,
  fmaOption,
  sizesOption,
} from './options.js';

/** Flags of `ffma bench`, as commander reads them. */
export interface BenchFlags {
  readonly device?: DeviceKind;
  readonly fma: FmaPath;
  readonly sizes?: readonly Size[];
  readonly suite?: string;
  readonly alpha?: number;
  readonly beta?: number;
  readonly reference?: string;
  readonly rounds?: number;
  readonly launches?: number;
  readonly untilCi?: number;
  readonly maxRounds?: number;
  readonly timeLimit?: number;
  readonly cold?: true;
  readonly warm?: true;
  readonly graph?: boolean;
  readonly compile?: true;
  readonly allVariants?: true;
  readonly uuid?: true;
  readonly config?: string | false;
  readonly dryRun?: true;
  readonly json?: string;
  readonly resume?: true;
  readonly markdown?: true;
  readonly sites?: true;
  readonly l2?: true;
}

/** What the flags ask for, in the words of a configuration; `undefined` where a flag is absent. */
export function fieldsOf(kernels: readonly string[], flags: BenchFlags): BenchFields {
  const { device, sizes, suite, alpha, beta, reference, rounds, launches, untilCi, maxRounds, timeLimit } =
    flags;
  const l2 = flags.warm ? 'warm' : flags.cold ? 'cold' : undefined;
  return {
    kernels: kernels.length > 0 ? kernels : undefined,
    ...{ device, sizes, suite, alpha, beta, reference, rounds, launches, untilCi, maxRounds, timeLimit, l2 },
    graph: flags.graph,
    allVariants: flags.allVariants,
    compile: flags.compile,
    uuid: flags.uuid,
  };
}

const numberOption = (flags: string, text: string) =>
  new Option(flags, text).argParser(argument(parseNumber));

/** What is measured. */
const whatOptions = () => [
  deviceOption().default(undefined, 'auto'),
  sizesOption(
    'sizes, separated by commas: n, m×n×k as 1024x512x64, or a batch of 8 as b8x1024 ' +
      '(default: 1024,2048,4096 on a GPU, else 256)',
    parseSizes,
  ),
  new Option('--suite <suite>', 'the sizes of a suite: of the configuration, or shapes, 30 of all kinds'),
  numberOption('--alpha <number>', 'what A·B is multiplied by (default: 1)'),
  numberOption('--beta <number>', 'what is added of C (default: 0, so that C is not read)'),
  new Option('--reference <kernel>', 'time beside this one, or none (default: a kernel that says it is one)'),
  allVariantsOption(),
  compileOption(),
];

/** How times are taken. */
const timingOptions = () => [
  countOption('--rounds <count>', 'alternating rounds (default: 15)'),
  countOption('--launches <count>', 'timed launches of each in a round (default: 40)'),
  new Option(
    '--until-ci <width>',
    'stop once the 95 % interval of every ratio is narrower than this, such as 1%; at least 5 rounds',
  )
    .argParser(argument(parseShare))
    .conflicts('rounds'),
  countOption('--max-rounds <count>', 'rounds at most, with --until-ci (default: 100)'),
  new Option('--time-limit <span>', 'for the rounds of one size, such as 90s or 10m').argParser(
    argument(parseSpan),
  ),
  new Option('--cold', 'flush the L2 cache before each launch (default)').conflicts('warm'),
  new Option('--warm', 'leave the L2 cache as the launch before left it'),
  new Option('--graph', 'launch as CUDA graphs, each by one call of the driver'),
  new Option('--no-graph', 'launch singly (default)'),
];

/** Where results go, and what else is shown. */
const resultOptions = () => [
  new Option(
    '--json <file>',
    'write the result to a file, for ffma report; - prints it instead of the table',
  ),
  new Option('--resume', 'keep the sizes that the file of --json has, where they were timed in the same way'),
  new Option('--markdown', 'print Markdown'),
  new Option('--uuid', "keep the GPU's UUID in the result, not only a digest of it"),
  new Option('--config <file>', 'read this configuration (default: ffma.config.ts, .mts, .js or .mjs here)'),
  new Option('--no-config', 'read none'),
  new Option('--dry-run', 'print what would run, and how long it may take; run nothing'),
];

const emulatorOptions = () => [
  new Option('--sites', 'on the emulator: also what each line of the source does that accesses memory'),
  new Option('--l2', 'on the emulator: also model the L2 cache, which takes several times as long'),
  fmaOption(),
];

export function addBenchOptions(command: Command): Command {
  const groups = {
    'What is measured:': whatOptions(),
    'How times are taken:': timingOptions(),
    'Results:': resultOptions(),
    'On the emulator:': emulatorOptions(),
  };
  for (const [heading, options] of Object.entries(groups)) {
    command.optionsGroup(heading);
    for (const option of options) command.addOption(option);
  }
  return command;
}
