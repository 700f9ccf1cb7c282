import { Command } from 'commander';
import { isExperimentResult } from '../../experiment/row-figures.js';
import { renderBench, renderBenchMarkdown } from '../../render/bench.js';
import { renderExperiment, renderExperimentMarkdown } from '../../render/experiment.js';
import { readResult } from '../../result/store.js';
import { type Io, look, print } from '../io.js';

export function reportCommand(io: Io): Command {
  return new Command('report')
    .argument('<file>', 'what --json wrote')
    .option('--markdown', 'print Markdown')
    .action(async (file: string, options: { markdown?: true }) => {
      const result = await readResult(file);
      const { style, width } = look(io);
      if (isExperimentResult(result)) {
        print(
          io,
          options.markdown ? renderExperimentMarkdown(result) : renderExperiment(result, style, width),
        );
      } else {
        print(io, options.markdown ? renderBenchMarkdown(result) : renderBench(result, style, width));
      }
    });
}
