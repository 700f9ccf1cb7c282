import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { Size } from '../../bench/sizes.js';
import { openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import { renderSweep } from '../../render/sweep.js';
import { wrap } from '../../render/text.js';
import { writeAtomically } from '../../result/output.js';
import { stringifyResult } from '../../result/store.js';
import { kernelTunerCache } from '../../sweep/kernel-tuner.js';
import type { SweepResult } from '../../sweep/schema.js';
import { readSpace } from '../../sweep/space.js';
import { journalOf } from '../../sweep/store.js';
import { sweep } from '../../sweep/sweep.js';
import { winnersFile, writeWinners } from '../../sweep/write-winner.js';
import { isTiming } from '../../timing/timing-device.js';
import { UsageError } from '../../usage-error.js';
import { INTERRUPTED, RIGHT, WRONG } from '../exit-codes.js';
import { commandOf, type Io, interruptible, look, print } from '../io.js';
import { progressOn } from '../progress.js';
import { dryRun } from '../sweep-dry-run.js';
import {
  exportTo,
  protocolFrom,
  type SweepCommandOptions,
  sweepOptions,
  usualSizes,
} from '../sweep-options.js';

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

async function kernelNamed(io: Io, selector: string) {
  const discovery = await discoverKernels(io.cwd);
  const [selected, ...others] = selectKernels(discovery, [selector]);
  if (selected === undefined || others.length > 0)
    throw new UsageError(`'${selector}' is ${others.length + 1} kernels; a sweep searches the space of one.`);
  return { discovery, selected };
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

export function sweepCommand(io: Io): Command {
  const command = new Command('sweep').argument('<kernel>', 'a kernel that declares values to search');
  for (const option of sweepOptions()) command.addOption(option);
  return command.action((kernel: string, options: SweepCommandOptions, command: Command) =>
    runSweep(
      io,
      kernel,
      options,
      (command.parent as { rawArgs?: string[] } | null)?.rawArgs ?? ['sweep', kernel],
    ),
  );
}
