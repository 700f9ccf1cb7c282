import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { Size } from '../../bench/sizes.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { checkExperimentRows } from '../../experiment/check.js';
import { findExperiment } from '../../experiment/find.js';
import { runExperiment } from '../../experiment/run-experiment.js';
import { renderExperiment } from '../../render/experiment.js';
import { renderChecked, renderExperiments } from '../../render/experiment-list.js';
import { renderExperimentMarkdown } from '../../report/experiment-markdown.js';
import { checkWritable, writeAtomically } from '../../result/output.js';
import { UsageError } from '../../usage-error.js';
import { commandOf, type Io, look, print, printJson } from '../io.js';
import { exitCodeOf, type Measuring, measuring } from '../measuring.js';
import { compileOption, countOption, deviceOption, jsonOption, sizesOption } from '../options.js';

interface RunOptions {
  readonly device: DeviceKind;
  readonly sizes?: readonly Size[];
  readonly reference?: string;
  readonly rounds?: number;
  readonly launches?: number;
  readonly compile?: true;
  readonly json?: string;
  readonly resume?: true;
  readonly markdown?: true;
  readonly check?: true;
}

/** What was measured in hours is not replaced by what is found in a second. @throws UsageError */
async function checkKeepsResults(file: string): Promise<void> {
  const { regular } = await checkWritable(file);
  if (!regular || !existsSync(file)) return;
  if (!/^\s*\{\s*"schemaVersion"/.test(await readFile(file, 'utf8'))) return;
  throw new UsageError(`${file} holds a result, which --check would replace by what it finds.`, {
    remedy: 'Write to another file, or leave out --json.',
  });
}

async function check(io: Io, name: string, options: RunOptions): Promise<void> {
  const { json } = options;
  const file = json === '-' ? undefined : json;
  if (file !== undefined) await checkKeepsResults(file);
  const discovery = await discoverKernels(io.cwd);
  const found = findExperiment(discovery, name);
  const checked = checkExperimentRows(discovery, found, options);
  if (!checked.passed) io.exitCode = 1;
  if (json === '-') return printJson(io, checked);
  const { style, width } = look(io);
  print(io, renderChecked(found.experiment, checked, style, width));
  if (file !== undefined) await writeAtomically(file, `${JSON.stringify(checked, null, 2)}\n`);
}

async function runOne(io: Io, name: string, options: RunOptions): Promise<void> {
  const work = async (parts: Measuring) => {
    const discovery = await discoverKernels(io.cwd);
    const found = findExperiment(discovery, name);
    const { rounds, launches, sizes, compile, reference } = options;
    await using device = await openBenchDevice({ kind: options.device });
    return await runExperiment(device, found, {
      discovery,
      sizes,
      compile,
      reference,
      protocol: {
        ...(rounds === undefined ? {} : { rounds }),
        ...(launches === undefined ? {} : { launches }),
      },
      ...parts,
    });
  };
  const result = await measuring(io, options, work, (made, style, width) =>
    options.markdown ? renderExperimentMarkdown(made) : renderExperiment(made, style, width),
  );
  io.exitCode = exitCodeOf(result, true);
}

function listSubcommand(io: Io): Command {
  return new Command('list')
    .description('list the experiments that the kernel packages here declare')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const { experiments } = await discoverKernels(io.cwd);
      if (json) {
        const all = experiments.map(({ experiment, package: { name, version } }) => ({
          package: { name, version },
          ...experiment,
        }));
        return printJson(io, all);
      }
      const { style, width } = look(io);
      print(io, renderExperiments(experiments, style, width, commandOf(io)));
    });
}

function runSubcommand(io: Io): Command {
  return new Command('run')
    .description('measure what an experiment asks for, and show it beside what was published')
    .argument('<experiment>', 'a name of ffma experiment list')
    .addOption(deviceOption())
    .addOption(sizesOption('sizes, separated by commas: n, or m×n×k (default: those of the experiment)'))
    .option('--reference <kernel>', 'measure against this one (default: a kernel that says it is one)')
    .addOption(
      countOption('--rounds <count>', 'alternating rounds (default: those of the experiment, or 15)'),
    )
    .addOption(countOption('--launches <count>', 'timed launches of each in a round (default: 40)'))
    .option(
      '--json <file>',
      'write the result to a file, for ffma report; - prints it instead (with --check: what was found)',
    )
    .option('--resume', 'keep the sizes that the file of --json has, where they were timed in the same way')
    .option('--markdown', 'print Markdown')
    .option('--check', 'measure nothing: see that every row exists and takes its sizes, on any machine')
    .addOption(compileOption())
    .action((name: string, options: RunOptions) =>
      options.check ? check(io, name, options) : runOne(io, name, options),
    );
}

export function experimentCommand(io: Io): Command {
  return new Command('experiment').addCommand(listSubcommand(io)).addCommand(runSubcommand(io));
}
