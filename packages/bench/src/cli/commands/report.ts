import { Command } from 'commander';
import { renderBench, renderBenchMarkdown } from '../../render/bench.js';
import { readResult } from '../../result/store.js';
import { type Io, look, print } from '../io.js';

export function reportCommand(io: Io): Command {
  return new Command('report')
    .description('show a result file of ffma bench again')
    .argument('<file>', 'what ffma bench --json wrote')
    .option('--markdown', 'print Markdown')
    .action(async (file: string, options: { markdown?: true }) => {
      const result = await readResult(file);
      const { style, width } = look(io);
      print(io, options.markdown ? renderBenchMarkdown(result) : renderBench(result, style, width));
    });
}
