import { Command } from 'commander';
import { mergeResults } from '../../merge/merge.js';
import { renderBench } from '../../render/bench.js';
import { renderSweep } from '../../render/sweep.js';
import { checkWritable, writeAtomically } from '../../result/output.js';
import { readAnyResult } from '../../result/read.js';
import { stringifyResult } from '../../result/store.js';
import { UsageError } from '../../usage-error.js';
import { type Io, look, print } from '../io.js';

async function merge(io: Io, out: string, files: readonly string[]): Promise<void> {
  const journal = files.find((file) => file.endsWith('.journal'));
  if (journal !== undefined) {
    throw new UsageError(`${journal} is the journal of a sweep that did not come to its end.`, {
      remedy: 'Go on with that sweep by --resume, then merge its result.',
    });
  }
  const results = await Promise.all(files.map(async (from) => ({ from, result: await readAnyResult(from) })));
  const merged = mergeResults(results);
  if (out === '-') {
    io.stdout.write(stringifyResult(merged));
    return;
  }
  await checkWritable(out);
  await writeAtomically(out, stringifyResult(merged));
  const { style, width } = look(io);
  if (merged.kind === 'sweep') print(io, renderSweep(merged, style, width));
  if (merged.kind === 'bench') print(io, renderBench(merged, style, width));
}

export function mergeCommand(io: Io): Command {
  return new Command('merge')
    .argument('<out>', 'the file to write; - prints JSON instead of the tables')
    .argument('<files...>', 'result files of one kind: of ffma sweep, or of ffma bench')
    .action((out: string, files: string[]) => merge(io, out, files));
}
