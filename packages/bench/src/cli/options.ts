import { InvalidArgumentError, Option } from 'commander';
import { parseProduct } from '../bench/sizes.js';
import { sentenceOf } from '../error-sentence.js';
import { UsageError } from '../usage-error.js';

/** Turns what a parser throws into commander's own error, which exits with 2. */
export function argument<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(sentenceOf(error));
    }
  };
}

export const deviceOption = () =>
  new Option('-d, --device <kind>', 'where to run; auto takes CUDA where it works, else the emulator')
    .choices(['emulator', 'cuda', 'auto'])
    .default('auto');

export const fmaOption = () =>
  new Option('--fma <path>', 'how the emulator computes exact FMAs; the bits are the same')
    .choices(['auto', 'relaxed', 'f64'])
    .default('auto');

const parseProducts = (text: string) => text.split(',').map(parseProduct);

/** @param parse default: sizes of one product each */
export const sizesOption = (text: string, parse = parseProducts) =>
  new Option('-s, --sizes <list>', text).argParser(argument(parse));

const MOST_COUNTED = 999_999;

/** @throws UsageError */
function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MOST_COUNTED)
    throw new UsageError(`It must be a whole number in 1..${MOST_COUNTED}, but is '${text}'.`);
  return count;
}

export const countOption = (flags: string, text: string) =>
  new Option(flags, text).argParser(argument(parseCount));

/** @throws UsageError */
function parseWarmUps(text: string): number {
  return text === '0' ? 0 : parseCount(text);
}

export const warmUpsOption = (text: string) =>
  new Option('--warm-ups <count>', text).argParser(argument(parseWarmUps)).default(2);

export const jsonOption = () => new Option('--json', 'print JSON for machines');

export const compileOption = () =>
  new Option(
    '--compile',
    'compile variants that were not built, with the CUDA compiler at hand (default: on a GPU, if there is one)',
  );

export const allVariantsOption = () =>
  new Option(
    '--all-variants',
    'every declared variant of each kernel, compiled where it was not built and a compiler is at hand',
  );

export const schedulesOption = () =>
  countOption('--schedules <count>', 'run every case under that many orders of blocks and warps (emulator)');

export const scheduleOption = () =>
  new Option('--schedule <name>', 'run under one of them, as a failure names it, e.g. random:3 (emulator)');

/** What the emulator looks for while kernels run; all of it by default. */
export const sanitizerOptions = () => [
  new Option('--no-memcheck', 'let kernels touch memory that no open buffer has (emulator)'),
  new Option('--no-racecheck', 'look for no races in shared memory (emulator)'),
  new Option('--no-initcheck', 'let kernels read what nothing has written (emulator)'),
  new Option('--no-synccheck', 'let threads exit without having waited for their copies (emulator)'),
];

export type FmaPath = 'auto' | 'relaxed' | 'f64';
