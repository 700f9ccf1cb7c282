import { archNumber } from '@ffma/core';
import { Command, Option } from 'commander';
import { registersOf } from '../../bench/compiled.js';
import { runBench } from '../../bench/run-bench.js';
import { parseProduct, parseSize, type Size } from '../../bench/sizes.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import type { Discovery } from '../../discover/kernel-package.js';
import { type SelectedKernel, selectKernels } from '../../discover/select.js';
import { diffKernel } from '../../inspect/diff.js';
import { inspectKernel, readEntry, readPtx } from '../../inspect/inspect-kernel.js';
import { inspectSass } from '../../inspect/sass.js';
import { renderBench } from '../../render/bench.js';
import { renderInspection } from '../../render/inspect.js';
import { renderKernelDiff } from '../../render/inspect-diff.js';
import { renderSass } from '../../render/inspect-sass.js';
import type { BenchResult } from '../../result/schema.js';
import { noDisassembler } from '../../sass/disassemble.js';
import { UsageError } from '../../usage-error.js';
import { type Io, look, print, printJson } from '../io.js';
import { argument, deviceOption, jsonOption } from '../options.js';

interface InspectCommandOptions {
  readonly device: DeviceKind;
  readonly size: Size;
  readonly ptx?: true | number;
  readonly entry?: true;
  readonly sass?: true | 'facts' | 'full';
  readonly diff?: true;
  readonly json?: true;
  readonly counters?: true | Size;
  readonly sites?: true;
  readonly l2?: true;
}

function parseArch(text: string): number {
  const arch = archNumber(text);
  if (!Number.isInteger(arch))
    throw new UsageError(`An architecture is a number such as 80 or compute_80, but is '${text}'.`);
  return arch;
}

/** Runs the kernel, and the one it is based on, on the emulator. @returns undefined where nobody asked for that */
async function counted(
  discovery: Discovery,
  selected: SelectedKernel,
  { counters, sites, l2 }: InspectCommandOptions,
): Promise<BenchResult | undefined> {
  if (counters === undefined && sites === undefined && l2 === undefined) return undefined;
  const size = typeof counters === 'object' ? counters : parseSize('256');
  await using device = await openBenchDevice({
    kind: 'emulator',
    counters: l2 ? { l2: { registers: registersOf([selected]) } } : true,
  });
  return await runBench(device, [selected], { sizes: [size], discovery });
}

async function showSass(io: Io, selected: SelectedKernel, options: InspectCommandOptions): Promise<void> {
  const { text, ...found } = await inspectSass(selected, { shape: options.size, env: io.env });
  const { style, width } = look(io);
  if (options.sass === 'full') {
    if (text === undefined) throw noDisassembler();
    io.stdout.write(text);
  } else if (options.json) printJson(io, found);
  else print(io, renderSass({ ...found, text }, style, width));
}

async function showDiff(
  io: Io,
  discovery: Discovery,
  selected: SelectedKernel,
  { size, json }: InspectCommandOptions,
): Promise<void> {
  const diff = await diffKernel(discovery, selected, size);
  const { style, width } = look(io);
  if (json) printJson(io, diff);
  else print(io, renderKernelDiff(diff, style, width));
}

async function show(
  io: Io,
  discovery: Discovery,
  selected: SelectedKernel,
  options: InspectCommandOptions,
): Promise<void> {
  await using device = await openBenchDevice({ kind: options.device, workers: 1 });
  const inspection = inspectKernel(selected, { shape: options.size, device });
  const result = await counted(discovery, selected, options);
  if (options.json)
    return printJson(io, result === undefined ? inspection : { ...inspection, counted: result });
  const { style, width } = look(io);
  print(io, renderInspection(inspection, style, width));
  if (result !== undefined) print(io, ['', ...renderBench(result, style, width, options)]);
}

export function inspectCommand(io: Io): Command {
  return new Command('inspect')
    .argument('<kernel>', 'k02, k02/variant, or a full id')
    .addOption(
      new Option('-s, --size <size>', 'problem to plan: n, or m×n×k')
        .argParser(argument(parseProduct))
        .default(parseSize('4096'), '4096'),
    )
    .addOption(deviceOption())
    .addOption(
      new Option('--ptx [arch]', 'print its PTX instead: the newest built, or that of an architecture')
        .argParser(argument(parseArch))
        .conflicts(['entry', 'json']),
    )
    .addOption(
      new Option(
        '--sass [what]',
        'print facts of its machine code instead; or, by nvdisasm or cuobjdump, all of it: --sass=full',
      )
        .choices(['facts', 'full'])
        .conflicts(['entry', 'ptx', 'diff']),
    )
    .addOption(
      new Option(
        '--diff',
        'print how its source, and the instructions of its PTX, differ from those of its base instead',
      ).conflicts(['entry', 'ptx']),
    )
    .addOption(
      new Option('--entry', 'print the CUDA entry that the build generates instead').conflicts('json'),
    )
    .addOption(
      new Option(
        '--counters [size]',
        'also run it on the emulator, at n or m×n×k (default: 256), and count what it does',
      ).argParser(argument(parseProduct)),
    )
    .option('--sites', 'the same, with what each line of the source does that accesses memory')
    .option('--l2', 'the same, with a model of the L2 cache')
    .addOption(jsonOption())
    .action(async (kernel: string, options: InspectCommandOptions) => {
      const discovery = await discoverKernels(io.cwd);
      const [selected, ...others] = selectKernels(discovery, [kernel]);
      if (selected === undefined || others.length > 0)
        throw new UsageError(`'${kernel}' is several kernels; inspect takes one.`);
      if (options.sass) await showSass(io, selected, options);
      else if (options.diff) await showDiff(io, discovery, selected, options);
      else if (options.entry) io.stdout.write(await readEntry(selected, options.size));
      else if (options.ptx)
        io.stdout.write(
          await readPtx(selected, options.ptx === true ? undefined : options.ptx, options.size),
        );
      else await show(io, discovery, selected, options);
    });
}
