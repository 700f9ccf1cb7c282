import { Command, Option } from 'commander';
import { parseProduct, parseSize, type Size } from '../../bench/sizes.js';
import { type DeviceKind, openBenchDevice } from '../../device/open-bench-device.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import { hasFfmaCode, sentenceOf } from '../../error-sentence.js';
import { launchKernel } from '../../profile/launch.js';
import { count, shape } from '../../render/numbers.js';
import { wrap } from '../../render/text.js';
import { writeAtomically } from '../../result/output.js';
import { UsageError } from '../../usage-error.js';
import { WRONG } from '../exit-codes.js';
import { type Io, look, print } from '../io.js';
import { argument, compileOption, deviceOption, warmUpsOption } from '../options.js';

interface LaunchCommandOptions {
  readonly device: DeviceKind;
  readonly size: Size;
  readonly warmUps: number;
  readonly compile?: true;
  readonly json?: string;
}

async function launched(
  io: Io,
  selector: string,
  { device: kind, size, warmUps, compile }: LaunchCommandOptions,
) {
  const [selected, ...others] = selectKernels(await discoverKernels(io.cwd), [selector]);
  if (selected === undefined || others.length > 0)
    throw new UsageError(`'${selector}' is several kernels; launch takes one.`);
  await using device = await openBenchDevice({ kind });
  return await launchKernel(device, selected, size, { warmUps, compile });
}

async function launch(io: Io, selector: string, options: LaunchCommandOptions): Promise<void> {
  const write = async (value: unknown) => {
    if (options.json !== undefined) await writeAtomically(options.json, `${JSON.stringify(value)}\n`);
  };
  try {
    const report = await launched(io, selector, options);
    await write(report);
    if (report.wrong !== undefined) io.exitCode = WRONG;
    const { id, problem, device, multiplications, symbols, wrong } = report;
    const launches = symbols.length === 0 ? '' : ` (each launches ${symbols.join(', ')})`;
    const text =
      `${id} at ${shape(problem)} on ${device.name}: ${count(multiplications, 'multiplication')}${launches}; ` +
      `the last is ${wrong === undefined ? 'right.' : `wrong: ${wrong}`}`;
    print(io, wrap(text, look(io).width));
  } catch (error) {
    const code = hasFfmaCode(error) ? error.code : 'FFMA_ARGUMENT';
    await write({ error: { code, message: sentenceOf(error) } });
    throw error;
  }
}

export function launchCommand(io: Io): Command {
  return new Command('launch')
    .argument('<kernel>', 'k02, k02/variant, or a full id')
    .addOption(
      new Option('-s, --size <size>', 'problem: n, or m×n×k')
        .argParser(argument(parseProduct))
        .default(parseSize('1024'), '1024'),
    )
    .addOption(warmUpsOption('multiplications before the last one, which is checked'))
    .addOption(deviceOption())
    .addOption(compileOption())
    .option('--json <file>', 'write what was launched to a file')
    .action((kernel: string, options: LaunchCommandOptions) => launch(io, kernel, options));
}
