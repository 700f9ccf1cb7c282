import { Command } from 'commander';
import { discoverKernels } from '../../discover/discover-kernels.js';
import { listKernels } from '../../discover/list-kernels.js';
import { renderList } from '../../render/list.js';
import { type Io, look, print, printJson } from '../io.js';
import { jsonOption } from '../options.js';

export function listCommand(io: Io): Command {
  return new Command('list')
    .option('--variants', 'list every declared variant, not only the default ones')
    .addOption(jsonOption())
    .action(async (options: { variants?: boolean; json?: boolean }) => {
      const discovery = await discoverKernels(io.cwd);
      const kernels = listKernels(discovery, options);
      const { root, broken, missing } = discovery;
      if (options.json) return printJson(io, { root, kernels, broken, missing });
      const { style, width } = look(io);
      print(io, renderList(discovery, kernels, style, width));
    });
}
