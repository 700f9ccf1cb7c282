import { Command, Option } from 'commander';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import type { LeftOut } from '../../discover/usable.js';
import { leftOutLines } from '../../render/list.js';
import { renderVerified } from '../../render/verify.js';
import { nothingFailed, runVerify } from '../../verify/run-verify.js';
import { verifyJson } from '../../verify/verify-json.js';
import { type Io, look, print, printJson } from '../io.js';
import { compileOption, countOption, deviceOption, type FmaPath, fmaOption, jsonOption } from '../options.js';
import { progressOn } from '../progress.js';

interface VerifyCommandOptions {
  readonly device: DeviceKind;
  readonly fma: FmaPath;
  readonly level: 'quick' | 'full';
  readonly case?: string;
  readonly timeout: number;
  readonly compile?: true;
  readonly json?: true;
}

async function verify(io: Io, selectors: readonly string[], options: VerifyCommandOptions): Promise<void> {
  const selected = selectKernels(await discoverKernels(io.cwd), selectors);
  await using device = await openBenchDevice({ kind: options.device, fma: options.fma });
  using progress = progressOn(io.stderr);
  let leftOut: readonly LeftOut[] = [];
  const verified = await runVerify(device, selected, {
    ...options,
    caseTimeoutMs: options.timeout * 1000,
    onStep: progress.show,
    onLeftOut: (found) => {
      leftOut = found;
    },
  });
  progress.clear();
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
      new Option('-l, --level <level>', 'quick: one case a rule; full: all')
        .choices(['quick', 'full'])
        .default('full'),
    )
    .option('-c, --case <text>', 'only cases whose name contains this, e.g. 33x17x65 or canary')
    .addOption(
      countOption('--timeout <seconds>', 'what a case may take; then it fails and the run ends').default(120),
    )
    .addOption(fmaOption())
    .addOption(compileOption())
    .addOption(jsonOption())
    .action((kernels: string[], options: VerifyCommandOptions) => verify(io, kernels, options));
}
