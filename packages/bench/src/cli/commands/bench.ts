import { existsSync } from 'node:fs';
import type { Device } from '@ffma/core';
import { Command } from 'commander';
import { registersOf } from '../../bench/compiled.js';
import { type BenchPlan, planBench } from '../../bench/plan-bench.js';
import { runBench } from '../../bench/run-bench.js';
import { parseSizes } from '../../bench/sizes.js';
import { loadConfig, shownPath } from '../../config/load-config.js';
import {
  type BenchFields,
  flagOf,
  mergeFields,
  protocolFrom,
  sizesOf,
  timingFields,
} from '../../config/settings.js';
import { compilerAtHand } from '../../device/compile-here.js';
import { openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import { hasFfmaCode, sentenceOf } from '../../error-sentence.js';
import { renderBench, renderBenchMarkdown } from '../../render/bench.js';
import { renderBenchPlan } from '../../render/bench-plan.js';
import { readResult } from '../../result/store.js';
import { chooseReference } from '../../timing/reference.js';
import { isTiming } from '../../timing/timing-device.js';
import { UsageError } from '../../usage-error.js';
import { addBenchOptions, type BenchFlags, fieldsOf } from '../bench-options.js';
import { type Io, look, print, printJson } from '../io.js';
import { exitCodeOf, type Measuring, measuring } from '../measuring.js';

/** @throws UsageError for a flag that is about times, where the device gives none */
function checkTiming(device: Device, flags: BenchFields, { resume }: BenchFlags): void {
  if (isTiming(device)) return;
  const field = timingFields.find((name) => flags[name] !== undefined);
  const asked = field === undefined ? resume && '--resume' : flagOf(field);
  if (asked === undefined) return;
  throw new UsageError(`${asked} is about times, and ${device.name} has no clock of a GPU.`, {
    remedy: 'Leave it out to count, or use --device cuda.',
  });
}

/** @throws UsageError for what only a device that counts can show */
function checkCounting(device: Device, { sites, l2 }: BenchFlags): void {
  const [asked] = Object.entries({ sites, l2 }).find(([, value]) => value !== undefined) ?? [];
  if (asked !== undefined && isTiming(device)) {
    throw new UsageError(`--${asked} is about counters, and ${device.name} counts nothing.`, {
      remedy: 'Use --device emulator.',
    });
  }
}

/** What is asked for, of the configuration and the flags together, and the kernels that are meant. */
async function requestOf(io: Io, selectors: readonly string[], flags: BenchFlags) {
  const { config } = flags;
  const named = config === false ? undefined : config;
  const read = config === false ? undefined : await loadConfig(io.cwd, named);
  const own = fieldsOf(selectors, flags);
  const file = read?.file === undefined ? '' : ` of ${shownPath(read.file, io.cwd)}`;
  const fields = mergeFields(
    { fields: read?.bench ?? {}, name: (field) => `bench.${field}${file}` },
    { fields: own, name: flagOf },
  );
  const asked = sizesOf(fields, read?.suites ?? {});
  const discovery = await discoverKernels(io.cwd);
  const { allVariants, reference } = fields;
  const selected = selectKernels(discovery, fields.kernels ?? [], { allVariants: allVariants ?? false });
  if (reference !== undefined) chooseReference(discovery, reference);
  const optionsFor = (times: boolean) => ({
    sizes: asked ?? parseSizes(times ? '1024,2048,4096' : '256'),
    discovery,
    alpha: fields.alpha,
    beta: fields.beta,
    uuid: fields.uuid,
    ...(times ? { reference, protocol: protocolFrom(fields) } : {}),
  });
  const counters = flags.l2 ? { l2: { registers: registersOf(selected) } } : true;
  const open = () => openBenchDevice({ kind: fields.device ?? 'auto', fma: flags.fma, counters });
  return { fields, own, selected, optionsFor, open };
}

/** Prints what would run. On a machine without a GPU that is a plan all the same. */
async function dryRun(io: Io, selectors: readonly string[], flags: BenchFlags): Promise<void> {
  const { own, selected, optionsFor, open } = await requestOf(io, selectors, flags);
  const { json, resume } = flags;
  const earlier = resume && json !== undefined && existsSync(json) ? await readResult(json) : undefined;
  const planned = (device: Device | undefined) => {
    const options = optionsFor(device === undefined || isTiming(device));
    return planBench(device, selected, { ...options, earlier });
  };
  let plan: BenchPlan;
  let why: string | undefined;
  try {
    await using device = await open();
    checkTiming(device, own, flags);
    checkCounting(device, flags);
    plan = await planned(device);
  } catch (error) {
    if (!hasFfmaCode(error) || error.code !== 'FFMA_UNAVAILABLE') throw error;
    why = sentenceOf(error);
    plan = await planned(undefined);
  }
  if (json === '-') return printJson(io, plan);
  const { style, width } = look(io);
  print(io, renderBenchPlan(plan, style, width, why));
}

async function bench(io: Io, selectors: readonly string[], flags: BenchFlags): Promise<void> {
  const request = await requestOf(io, selectors, flags);
  const { fields, own, selected, optionsFor, open } = request;
  const work = async (parts: Measuring) => {
    const compile = fields.compile ?? (fields.allVariants ? await compilerAtHand() : undefined);
    await using device = await open();
    checkTiming(device, own, flags);
    checkCounting(device, flags);
    return await runBench(device, selected, { ...optionsFor(isTiming(device)), compile, ...parts });
  };
  const result = await measuring(io, flags, work, (found, style, width) =>
    flags.markdown ? renderBenchMarkdown(found, flags) : renderBench(found, style, width, flags),
  );
  io.exitCode = exitCodeOf(result, fields.reference !== undefined);
}

export function benchCommand(io: Io): Command {
  const command = new Command('bench').argument(
    '[kernels...]',
    'which kernels; all of them if none is named',
  );
  return addBenchOptions(command).action((kernels: string[], flags: BenchFlags) =>
    flags.dryRun ? dryRun(io, kernels, flags) : bench(io, kernels, flags),
  );
}
