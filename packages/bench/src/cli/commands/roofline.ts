import { Command } from 'commander';
import { openGpu } from '../../device/open-gpu.js';
import { renderRoofline, renderRooflineMarkdown } from '../../render/roofline.js';
import type { AnyResult } from '../../result/kinds.js';
import { checkWritable, writeAtomically } from '../../result/output.js';
import { ofKind, readAnyResult } from '../../result/read.js';
import { stringifyResult } from '../../result/store.js';
import { type RooflineOptions, roofline, rooflineUnder } from '../../roofline/roofline.js';
import { UsageError } from '../../usage-error.js';
import { type Io, look, print } from '../io.js';
import { countOption } from '../options.js';

interface RooflineCommandOptions {
  readonly ceilings?: string;
  readonly rounds?: number;
  readonly launches?: number;
  readonly json?: string;
  readonly markdown?: true;
}

/** Files by what they are. @throws UsageError, ResultFileError */
async function inputs(files: readonly string[]): Promise<Pick<RooflineOptions, 'benches' | 'profiles'>> {
  const results = await Promise.all(files.map(async (file) => ({ file, result: await readAnyResult(file) })));
  const usable: readonly AnyResult['kind'][] = ['bench', 'profile'];
  const odd = results.find(({ result }) => !usable.includes(result.kind));
  if (odd !== undefined) {
    throw new UsageError(
      `${odd.file} is a ${odd.result.kind} result, which has no times and no bytes of kernels.`,
      {
        remedy: 'A roofline takes results of ffma bench and ffma profile.',
      },
    );
  }
  return {
    benches: results.flatMap(({ result }) => (result.kind === 'bench' ? [result] : [])),
    profiles: results.flatMap(({ result }) => (result.kind === 'profile' ? [result] : [])),
  };
}

async function draw(io: Io, files: readonly string[], options: RooflineCommandOptions): Promise<void> {
  const { ceilings, rounds, launches, json, markdown } = options;
  const given = await inputs(files);
  const earlier =
    ceilings === undefined ? undefined : ofKind(await readAnyResult(ceilings), 'roofline', ceilings);
  const file = json === '-' ? undefined : json;
  if (file !== undefined) await checkWritable(file);
  const measured = async () => {
    await using device = await openGpu(
      'Ceilings are measured on an NVIDIA GPU.',
      'Take those of an earlier result with --ceilings.',
    );
    const protocol = {
      ...(rounds === undefined ? {} : { rounds }),
      ...(launches === undefined ? {} : { launches }),
    };
    return await roofline(device, { ...given, protocol });
  };
  const result = earlier === undefined ? await measured() : rooflineUnder(earlier, given);
  if (file !== undefined) await writeAtomically(file, stringifyResult(result));
  const { style, width } = look(io);
  if (json === '-') io.stdout.write(stringifyResult(result));
  else print(io, markdown ? renderRooflineMarkdown(result) : renderRoofline(result, style, width));
}

export function rooflineCommand(io: Io): Command {
  return new Command('roofline')
    .argument(
      '[results...]',
      'files of ffma bench, for times or modelled bytes, and of ffma profile, for counted bytes',
    )
    .option(
      '--ceilings <file>',
      'take the ceilings of an earlier result of ffma roofline, and measure nothing',
    )
    .addOption(countOption('--rounds <count>', 'alternating rounds of the ceilings (default: 5)'))
    .addOption(countOption('--launches <count>', 'timed launches of each in a round (default: 10)'))
    .option('--json <file>', 'write the result to a file; - prints it instead of the tables')
    .option('--markdown', 'print Markdown')
    .action((files: string[], options: RooflineCommandOptions) => draw(io, files, options));
}
