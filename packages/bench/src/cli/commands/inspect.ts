import { archNumber } from '@ffma/core';
import { Command, Option } from 'commander';
import { parseSize, type Size } from '../../bench/sizes.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { type SelectedKernel, selectKernels } from '../../discover/select.js';
import { inspectKernel, readEntry, readPtx } from '../../inspect/inspect-kernel.js';
import { renderInspection } from '../../render/inspect.js';
import { UsageError } from '../../usage-error.js';
import { type Io, look, print, printJson } from '../io.js';
import { argument, deviceOption, jsonOption } from '../options.js';

interface InspectCommandOptions {
  readonly device: DeviceKind;
  readonly size: Size;
  readonly ptx?: true | number;
  readonly entry?: true;
  readonly json?: true;
}

function parseArch(text: string): number {
  const arch = archNumber(text);
  if (!Number.isInteger(arch))
    throw new UsageError(`An architecture is a number such as 80 or compute_80, but is '${text}'.`);
  return arch;
}

async function show(io: Io, selected: SelectedKernel, options: InspectCommandOptions): Promise<void> {
  await using device = await openBenchDevice({ kind: options.device, workers: 1 });
  const inspection = inspectKernel(selected, { shape: options.size, device });
  if (options.json) return printJson(io, inspection);
  const { style, width } = look(io);
  print(io, renderInspection(inspection, style, width));
}

export function inspectCommand(io: Io): Command {
  return new Command('inspect')
    .description('show what is known about a kernel: declaration, launches, occupancy, built artefacts')
    .argument('<kernel>', 'k02, k02/variant, or a full id')
    .addOption(
      new Option('-s, --size <size>', 'problem to plan: n, or m×n×k')
        .argParser(argument(parseSize))
        .default(parseSize('4096'), '4096'),
    )
    .addOption(deviceOption())
    .addOption(
      new Option('--ptx [arch]', 'print its PTX instead: the newest built, or that of an architecture')
        .argParser(argument(parseArch))
        .conflicts(['entry', 'json']),
    )
    .addOption(
      new Option('--entry', 'print the CUDA entry that the build generates instead').conflicts('json'),
    )
    .addOption(jsonOption())
    .action(async (kernel: string, options: InspectCommandOptions) => {
      const [selected, ...others] = selectKernels(await discoverKernels(io.cwd), [kernel]);
      if (selected === undefined || others.length > 0)
        throw new UsageError(`'${kernel}' is several kernels; inspect takes one.`);
      if (options.entry) io.stdout.write(await readEntry(selected, options.size));
      else if (options.ptx)
        io.stdout.write(
          await readPtx(selected, options.ptx === true ? undefined : options.ptx, options.size),
        );
      else await show(io, selected, options);
    });
}
