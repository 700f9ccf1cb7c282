import { APPROXIMATION_BOUNDS, instructionClasses, SPECIAL_REGISTERS } from '@ffma/emulator';
import { allForms } from './golden-forms.js';
import { goldenKernels } from './golden-kernels.js';

const WIDTH = 120;

/** Words, in lines of at most 120 columns. */
function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Every form of an instruction that has a model and golden vectors, without its name. */
function formsOf(name: string): string[] {
  const texts = allForms.map(({ text }) => text).filter((text) => text.split('.')[0] === name);
  return [...new Set(texts.map((text) => text.slice(name.length)))].sort();
}

/** The page of the documentation that lists what the emulator knows. */
export function instructionsPage(): string {
  const classes = instructionClasses();
  const names = [...classes.keys()];
  const known = new Set(names);
  const checked = names.filter((name) => formsOf(name).length > 0);
  const rest = names.filter((name) => !checked.includes(name));
  const sections = checked.flatMap((name) => [
    `**${name}** (${classes.get(name)!.join(', ')})`,
    ...wrapped(formsOf(name).map((form) => `\`${form}\``)),
    '',
  ]);
  const stray = allForms.filter(({ text }) => !known.has(text.split('.')[0]!));
  if (stray.length > 0)
    throw new RangeError(`Not in the tables: ${stray.map(({ text }) => text).join(', ')}`);
  return [
    '# Instructions that the emulator knows',
    '',
    '<!-- Written by `node scripts/instructions-page.mjs` from the tables of @ffma/emulator; do not edit. -->',
    '',
    'Everything else is refused when a module is loaded, by name and line. `@ffma/emulator` exports the names as',
    '`knownInstructions()`.',
    '',
    '## With a model of their own',
    '',
    'Each form is run with operands that vary, step, are shared or immediate, guarded, in place and diverged, over edge',
    'values, and compared with a model. In brackets: what `docs/counters.md` counts it as.',
    '',
    ...sections,
    '## Memory, warps and control',
    '',
    ...wrapped(rest.map((name) => `\`${name}\``)),
    '',
    'Programs that are run for these, beside those that nvcc makes of `test/fixtures/corpus/author.cu`:',
    '',
    ...wrapped(goldenKernels.map((kernel, i, all) => `${kernel.name}${i < all.length - 1 ? ',' : '.'}`)),
    '',
    'Calls are inlined; recursion and calls through pointers are refused. A failed `assert` is a fault that names its',
    'text, file and line. `printf` and `malloc` are refused. Cache hints and policies change nothing.',
    '',
    'Clusters have one block: `barrier.cluster`, `mapa` and `.shared::cluster` are those of the block itself. Of copies in',
    'bulk it knows those between global and shared memory, plain or of tiles by a tensor map of two dimensions, with',
    'mbarriers or groups; multicast, reductions, im2col and other proxies are refused. `setmaxnreg` is checked, and changes',
    'nothing; nor does `griddepcontrol`, since launches are in order.',
    '',
    '## Near, not equal',
    '',
    'A GPU computes these by tables of its own. The emulator gives the float nearest to the true value, and takes a',
    'kernel that has them only if the device was opened with `{ approximations: true }`. The bounds are those of PTX ISA',
    '9, sections [9.7.3](https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions) and',
    '[9.7.4](https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions).',
    '',
    '| instruction | how far a GPU may be from the true value |',
    '|---|---|',
    ...Object.entries(APPROXIMATION_BOUNDS).map(([name, bound]) => `| \`${name}\` | ${bound} |`),
    '',
    '## Special registers',
    '',
    ...wrapped(SPECIAL_REGISTERS.map((name) => `\`%${name}\``)),
    '',
    'Clocks and the global timer grow at every read; they are no times.',
    '',
  ].join('\n');
}
