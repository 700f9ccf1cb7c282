import { Command, Option } from 'commander';
import { compilerAtHand } from '../../device/compile-here.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import type { LeftOut } from '../../discover/usable.js';
import { leftOutLines } from '../../render/list.js';
import { renderVerified } from '../../render/verify.js';
import { nothingFailed, runVerify } from '../../verify/run-verify.js';
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
  readonly json?: true;
}

async function verify(io: Io, selectors: readonly string[], options: VerifyCommandOptions): Promise<void> {
  const selected = selectKernels(await discoverKernels(io.cwd), selectors, options);
  const compile = options.compile ?? (options.allVariants ? await compilerAtHand() : undefined);
  await using device = await openBenchDevice({ kind: options.device, fma: options.fma });
  using progress = progressOn(io.stderr);
  let leftOut: readonly LeftOut[] = [];
  const verified = await runVerify(device, selected, {
    ...options,
    compile,
    caseTimeoutMs: options.timeout * 1000,
    onStep: progress.show,
    onLeftOut: (found) => {
      leftOut = found;
    },
  });
  progress.clear();
  io.leftRunning = verified.some(({ report }) => report.ended?.by === 'timeout');
  if (options.json) {
    printJson(io, verifyJson(device, verified));
  } else {
    const { style, width } = look(io);
    print(io, [
      `${device.name} (${device.arch})`,
      ...renderVerified(verified, style, width),
      ...leftOutLines(leftOut, width),
    ]);
  }
  if (!nothingFailed(verified)) io.exitCode = 1;
}

export function verifyCommand(io: Io): Command {
  return new Command('verify')
    .description('put conformance cases before kernels; exits with 1 where one fails')
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
    .addOption(allVariantsOption())
    .addOption(compileOption())
    .addOption(jsonOption())
    .action((kernels: string[], options: VerifyCommandOptions) => verify(io, kernels, options));
}
