import { Command, Option } from 'commander';
import { comparePairs } from '../../compare/compare-results.js';
import { CONFIDENCE, type CompareBy, THRESHOLD } from '../../compare/options.js';
import { type ReadPairs, readPairs, readRevisions } from '../../compare/read-pairs.js';
import { renderComparison, renderComparisonMarkdown } from '../../render/compare.js';
import { checkWritable, writeAtomically } from '../../result/output.js';
import { stringifyResult } from '../../result/store.js';
import { UsageError } from '../../usage-error.js';
import { RIGHT, WRONG } from '../exit-codes.js';
import { type Io, look, print } from '../io.js';
import { argument } from '../options.js';

interface CompareCommandOptions {
  readonly git?: true;
  readonly threshold: number;
  readonly confidence: number;
  readonly by: CompareBy;
  readonly failOn?: number;
  readonly failOnUnclear?: true;
  readonly failOnMissing?: true;
  readonly markdown?: true;
  readonly json?: string;
}

/** `3%`, `3 %` or `3` → 0.03. @throws UsageError */
export function parsePercent(text: string): number {
  const [, figure] = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*%?\s*$/.exec(text) ?? [];
  const share = Number(figure) / 100;
  if (!(share > 0 && share < 1))
    throw new UsageError(`It must be a percentage over 0 and under 100, as 3%, but is '${text}'.`);
  return share;
}

const percentOption = (flags: string, text: string) =>
  new Option(flags, text).argParser(argument(parsePercent));

async function inputsOf(given: readonly string[], git: boolean): Promise<ReadPairs> {
  if (git) return readRevisions(given);
  const [base, fresh, ...more] = given;
  if (base === undefined || fresh === undefined || more.length > 0)
    throw new UsageError(
      `Two results are compared, but ${given.length} ${given.length === 1 ? 'is' : 'are'} named.`,
      {
        remedy: 'Name two files or two folders, or use --git with revisions and files.',
      },
    );
  return readPairs(base, fresh);
}

async function compare(io: Io, given: readonly string[], options: CompareCommandOptions): Promise<void> {
  const { git = false, json, markdown, ...rule } = options;
  const file = json === '-' ? undefined : json;
  if (file !== undefined) await checkWritable(file);
  const { pairs, notes } = await inputsOf(given, git);
  const comparison = comparePairs(pairs, rule, notes);
  if (file !== undefined) await writeAtomically(file, stringifyResult(comparison));
  const { style, width } = look(io);
  if (json === '-') io.stdout.write(stringifyResult(comparison));
  else
    print(io, markdown ? renderComparisonMarkdown(comparison) : renderComparison(comparison, style, width));
  io.exitCode = comparison.failures.length > 0 ? WRONG : RIGHT;
}

const after = `
Verdicts:
  same          the whole interval of the change lies within the threshold
  slower,
  faster        the change is over the threshold, and its interval holds no 0
  unclear       neither: more rounds on both sides would tell
  failed        wrong in NEW, or without times that it had in BASE
  incomparable  the figures are not of the same thing; the reason is said

Exit codes:
  0  nothing failed
  1  a row failed; with --fail-on one is slower, with --fail-on-unclear one is
     unclear or incomparable, with --fail-on-missing NEW lacks one
  2  a file cannot be read, has no times, or has no row in common with the other

Examples:
  ffma compare before.json after.json --fail-on 3%
  ffma compare results/before results/after --markdown
  ffma compare --git main results/h200.json
  ffma compare --git v1.0 v1.1 results/h200.json results/h200-ladder.json`;

export function compareCommand(io: Io): Command {
  return new Command('compare')
    .usage('[options] BASE NEW\n       ffma compare [options] --git REV [REV2] FILE...')
    .argument('<files...>', 'two result files, or two folders: files of the same name are compared')
    .option('--git', 'compare FILE at a revision with FILE as it is now, or at a second revision')
    .addOption(
      percentOption('--threshold <percent>', 'changes up to this are no change').default(THRESHOLD, '3%'),
    )
    .addOption(percentOption('--confidence <percent>', 'of the intervals').default(CONFIDENCE, '99%'))
    .addOption(
      new Option('--by <figure>', 'what is compared; auto: the ratio where both have the same reference')
        .choices(['auto', 'ratio', 'time'])
        .default('auto'),
    )
    .addOption(percentOption('--fail-on <percent>', 'exit with 1 where a row is clearly slower by more'))
    .option('--fail-on-unclear', 'exit with 1 where a row is unclear, or cannot be compared')
    .option('--fail-on-missing', 'exit with 1 where NEW lacks a row of BASE')
    .option('--markdown', 'print Markdown, short enough for a comment on a pull request')
    .option(
      '--json <file>',
      'write the comparison to a file, for ffma report; - prints it instead of the table',
    )
    .addHelpText('after', after)
    .action((files: string[], options: CompareCommandOptions) => compare(io, files, options));
}
