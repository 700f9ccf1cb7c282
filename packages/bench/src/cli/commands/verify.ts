import { Command, Option } from 'commander';
import { compilerAtHand } from '../../device/compile-here.js';
import { leaksOf } from '../../device/leaks.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { type ChosenSchedules, chooseSchedules } from '../../device/schedules.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import type { LeftOut } from '../../discover/usable.js';
import { leftOutLines } from '../../render/list.js';
import { hang } from '../../render/text.js';
import { renderVerified } from '../../render/verify.js';
import { runSchedules } from '../../verify/run-schedules.js';
import { nothingFailed, type RunVerifyOptions, runVerify } from '../../verify/run-verify.js';
import { verifyJson } from '../../verify/verify-json.js';
import { type Io, look, print, printJson } from '../io.js';
import {
  allVariantsOption,
  compileOption,
  countOption,
  deviceOption,
  type FmaPath,
  fmaOption,
  jsonOption,
  sanitizerOptions,
  scheduleOption,
  schedulesOption,
} from '../options.js';
import { progressOn } from '../progress.js';

interface VerifyCommandOptions {
  readonly device: DeviceKind;
  readonly fma: FmaPath;
  readonly level: 'quick' | 'full' | 'wide';
  readonly allVariants?: true;
  readonly case?: string;
  readonly timeout: number;
  readonly compile?: true;
  readonly schedules?: number;
  readonly schedule?: string;
  readonly memcheck: boolean;
  readonly racecheck?: boolean | 'shared' | 'global';
  readonly initcheck: boolean;
  readonly synccheck: boolean;
  readonly json?: true;
}

async function verify(io: Io, selectors: readonly string[], options: VerifyCommandOptions): Promise<void> {
  const selected = selectKernels(await discoverKernels(io.cwd), selectors, options);
  const compile = options.compile ?? (options.allVariants ? await compilerAtHand() : undefined);
  const chosen = await chooseSchedules(options);
  const kind = chosen === undefined ? options.device : 'emulator';
  const { memcheck, initcheck, synccheck } = options;
  const racecheck = options.racecheck === 'global' ? 'global' : options.racecheck !== false;
  const wish = { kind, fma: options.fma, checks: { memcheck, racecheck, initcheck, synccheck } } as const;
  await using device = await openBenchDevice(wish);
  using progress = progressOn(io.stderr);
  let leftOut: readonly LeftOut[] = [];
  const wanted: RunVerifyOptions = {
    ...options,
    compile,
    caseTimeoutMs: options.timeout * 1000,
    onStep: progress.show,
    onLeftOut: (found) => {
      leftOut = found;
    },
  };
  const verified =
    chosen === undefined
      ? await runVerify(device, selected, wanted)
      : await runSchedules(chosen.list, selected, {
          ...wanted,
          nameOf: chosen.nameOf,
          open: (schedule) => openBenchDevice({ ...wish, schedule }),
        });
  progress.clear();
  io.leftRunning = verified.some(({ report }) => report.ended?.by === 'timeout');
  const leaks = device.closed ? [] : await leaksOf(device);
  if (options.json) {
    printJson(io, verifyJson(device, verified));
  } else {
    const { style, width } = look(io);
    print(io, [
      `${device.name} (${device.arch})`,
      ...scheduleLines(chosen, width),
      ...renderVerified(verified, style, width),
      ...leftOutLines(leftOut, width),
      ...leaks.flatMap((leak) => hang('left open  ', leak, width)),
    ]);
  }
  if (!nothingFailed(verified)) io.exitCode = 1;
}

function scheduleLines(chosen: ChosenSchedules | undefined, width: number): string[] {
  if (chosen === undefined) return [];
  return hang('schedules  ', chosen.list.map(chosen.nameOf).join(', '), width);
}

export function verifyCommand(io: Io): Command {
  const command = new Command('verify')
    .argument('[kernels...]', 'which kernels; all of them if none is named')
    .addOption(deviceOption())
    .addOption(
      new Option('-l, --level <level>', 'quick: one case a rule; full: every rule; wide: and larger problems')
        .choices(['quick', 'full', 'wide'])
        .default('full'),
    )
    .option('-c, --case <text>', 'only cases whose name contains this, e.g. 33x17x65 or canary')
    .addOption(
      countOption('--timeout <seconds>', 'what a case may take; then it fails and the run ends').default(120),
    )
    .addOption(fmaOption())
    .addOption(schedulesOption())
    .addOption(scheduleOption())
    .addOption(allVariantsOption())
    .addOption(compileOption())
    .addOption(jsonOption())
    .addOption(
      new Option(
        '--racecheck <where>',
        'global: look for races between blocks, too; everything runs on one worker (emulator)',
      ).choices(['shared', 'global']),
    )
    .action((kernels: string[], options: VerifyCommandOptions) => verify(io, kernels, options));
  for (const option of sanitizerOptions()) command.addOption(option);
  return command;
}
