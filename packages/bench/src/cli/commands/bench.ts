import { Command } from 'commander';
import { runBench } from '../../bench/run-bench.js';
import type { Size } from '../../bench/sizes.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import { renderBench, renderBenchMarkdown } from '../../render/bench.js';
import { stringifyResult, writeAtomically } from '../../result/store.js';
import { type Io, look, print } from '../io.js';
import { compileOption, deviceOption, type FmaPath, fmaOption, sizesOption } from '../options.js';
import { progressOn } from '../progress.js';

interface BenchCommandOptions {
  readonly device: DeviceKind;
  readonly fma: FmaPath;
  readonly sizes: readonly Size[];
  readonly compile?: true;
  readonly json?: string;
  readonly markdown?: true;
}

async function bench(io: Io, selectors: readonly string[], options: BenchCommandOptions): Promise<void> {
  const discovery = await discoverKernels(io.cwd);
  const selected = selectKernels(discovery, selectors);
  await using device = await openBenchDevice({ kind: options.device, fma: options.fma, counters: true });
  using progress = progressOn(io.stderr);
  const result = await runBench(device, selected, { ...options, discovery, onStep: progress.show });
  progress.clear();
  if (options.json !== undefined && options.json !== '-')
    await writeAtomically(options.json, stringifyResult(result));
  if (options.json === '-') {
    io.stdout.write(stringifyResult(result));
  } else {
    const { style, width } = look(io);
    print(io, options.markdown ? renderBenchMarkdown(result) : renderBench(result, style, width));
  }
  const statuses = result.rows.filter(({ asked }) => asked).map(({ correctness }) => correctness.status);
  if (statuses.includes('failed') || !statuses.includes('passed')) io.exitCode = 1;
}

export function benchCommand(io: Io): Command {
  return new Command('bench')
    .description('check kernels, then count what they do, each beside the kernel it is based on')
    .argument('[kernels...]', 'which kernels; all of them if none is named')
    .addOption(deviceOption())
    .addOption(sizesOption('sizes, separated by commas: n, or m×n×k as 1024x512x64', '256'))
    .option('--json <file>', 'write the result to a file, for ffma report; - prints it instead of the table')
    .option('--markdown', 'print Markdown')
    .addOption(fmaOption())
    .addOption(compileOption())
    .action((kernels: string[], options: BenchCommandOptions) => bench(io, kernels, options));
}
