import { isExperimentResult } from '../experiment/row-figures.js';
import type { ReportInput } from './inputs.js';
import type { Missing } from './model.js';

interface Content extends Missing {
  readonly isIn: (input: ReportInput) => boolean;
}

/** What a report can show, and the command that makes it. */
const contents: readonly Content[] = [
  {
    what: 'Times beside the reference, by size and round by round',
    command: 'ffma bench --device cuda --json bench.json',
    isIn: ({ result }) => result.kind === 'bench' && result.rows.some(({ times }) => times !== undefined),
  },
  {
    what: 'Answers of experiments, beside what was published',
    command: 'ffma experiment run NAME --device cuda --json NAME.json',
    isIn: ({ result }) => result.kind === 'bench' && isExperimentResult(result),
  },
  {
    what: 'What kernels do, counted without a GPU',
    command: 'ffma bench --device emulator --json counts.json',
    isIn: ({ result }) =>
      result.kind === 'bench' && result.rows.some(({ counters }) => counters !== undefined),
  },
  {
    what: 'Why warps wait, what schedulers issue, and the instructions that ran',
    command: 'ffma profile --json profile.json',
    isIn: ({ result }) => result.kind === 'profile',
  },
  {
    what: 'How far kernels are from the peaks of the device',
    command: 'ffma roofline --json roofline.json',
    isIn: ({ result }) => result.kind === 'roofline',
  },
  {
    what: 'The fastest of a kernel’s variants',
    command: 'ffma sweep KERNEL --json sweep.json',
    isIn: ({ result }) => result.kind === 'sweep',
  },
  {
    what: 'What changed since earlier results',
    command: 'ffma compare BASE NEW --json comparison.json',
    isIn: ({ result }) => result.kind === 'comparison',
  },
];

export const missingContents = (inputs: readonly ReportInput[]): Missing[] =>
  contents.filter(({ isIn }) => !inputs.some(isIn)).map(({ what, command }) => ({ what, command }));
