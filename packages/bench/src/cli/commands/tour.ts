import { Command, Option } from 'commander';
import { checkOperandMemory } from '../../bench/operand-memory.js';
import { parseProduct, parseSize, type Size } from '../../bench/sizes.js';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { selectKernels } from '../../discover/select.js';
import { notTimes } from '../../render/bench.js';
import { leftOutLines, problemLines } from '../../render/list.js';
import { count, duration, shape } from '../../render/numbers.js';
import { sizeOf } from '../../render/rows.js';
import { hang } from '../../render/text.js';
import { tourNext, tourRow, tourTimed, tourVerified } from '../../render/tour.js';
import type { ResultRow } from '../../result/schema.js';
import { runTour } from '../../tour/run-tour.js';
import { nothingFailed } from '../../verify/run-verify.js';
import { commandOf, type Io, look, print } from '../io.js';
import { argument, type FmaPath, fmaOption } from '../options.js';
import { progressOn } from '../progress.js';

async function tour(
  io: Io,
  selectors: readonly string[],
  options: { size: Size; fma: FmaPath },
): Promise<void> {
  checkOperandMemory([options.size]);
  const started = performance.now();
  const { style, width } = look(io);
  const discovery = await discoverKernels(io.cwd);
  const selected = selectKernels(discovery, selectors);
  using progress = progressOn(io.stderr);
  const say = (lines: readonly string[]) => {
    progress.clear();
    print(io, lines);
  };
  say([style.bold(`ffma: ${count(selected.length, 'kernel')}`), ...problemLines(discovery, style, width)]);
  const { verified, timed, counted } = await runTour(discovery, selected, {
    ...options,
    onStep: progress.show,
    onDevice: (device, noGpu) => {
      if (noGpu !== undefined) say(hang('', `No GPU is used: ${noGpu}`, width).map(style.dim));
      say(['', `${style.bold('Are they right?')} On ${device.name} (${device.arch}).`]);
    },
    onVerified: (one) => say(tourVerified(one, style, width)),
    onLeftOut: (leftOut) => say(leftOutLines(leftOut, width - 2).map((line) => `  ${style.dim(line)}`)),
    onTimed: (result) => {
      const beside = result.rows.find(({ role }) => role === 'reference');
      const against = beside === undefined ? '' : `, against ${beside.kernel}`;
      say(['', `${style.bold('How fast are they?')} At ${sizeOf(result.rows[0] as ResultRow)}${against}.`]);
      say(tourTimed(result, style, width));
    },
    onRow: (row, rows) => {
      if (rows.length === 1)
        say([
          '',
          `${style.bold('What do they do?')} At ${shape(options.size)}, each above the kernel it is based on.`,
        ]);
      say(tourRow(row, rows, selected.find(({ gemm }) => gemm.id === row.id)?.kernel, style, width));
    },
  });
  say(hang('', notTimes, width).map(style.dim));
  say([
    '',
    style.bold('Where next'),
    ...tourNext(
      selected.map(({ kernel }) => kernel),
      style,
      width,
      commandOf(io),
    ),
  ]);
  say(['', style.dim(`${duration(performance.now() - started)} in all.`)]);
  const rows = [...counted.rows, ...(timed?.rows ?? []).filter(({ asked }) => asked)];
  const wrong = rows.some(({ correctness }) => correctness.status === 'failed');
  if (wrong || !nothingFailed(verified)) io.exitCode = 1;
}

export function tourCommand(io: Io): Command {
  return new Command('tour')
    .argument('[kernels...]', 'which kernels; all of them if none is named')
    .addOption(
      new Option('-s, --size <size>', 'problem to count at: n, or m×n×k')
        .argParser(argument(parseProduct))
        .default(parseSize('256'), '256'),
    )
    .addOption(fmaOption())
    .action((kernels: string[], options: { size: Size; fma: FmaPath }) => tour(io, kernels, options));
}
