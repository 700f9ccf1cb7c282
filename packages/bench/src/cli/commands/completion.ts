import { Argument, Command, Option } from 'commander';
import { UsageError } from '../../usage-error.js';
import { namesIn } from '../completion/names.js';
import { type Shell, shellCompletion, shells } from '../completion/shell-completion.js';
import { type NameKind, nameKinds } from '../completion/spec.js';
import { type Io, print } from '../io.js';

async function complete(io: Io, shell: Shell | undefined, { words }: { words?: NameKind }): Promise<void> {
  if (words !== undefined) return print(io, await namesIn(io.cwd, words));
  if (shell === undefined)
    throw new UsageError('A completion is made for a shell, but none is named.', {
      remedy: `Name one of ${shells.join(', ')}.`,
    });
  io.stdout.write(await shellCompletion(shell));
}

export function completionCommand(io: Io): Command {
  return new Command('completion')
    .addArgument(new Argument('[shell]', 'which shell').choices(shells))
    .addOption(new Option('--words <kind>', 'names for a shell, one a line').choices(nameKinds).hideHelp())
    .addHelpText(
      'after',
      `
bash: source <(ffma completion bash)
zsh:  source <(ffma completion zsh), after compinit
fish: ffma completion fish > ~/.config/fish/completions/ffma.fish
Kernel names are those of the folder, asked for when they are needed.`,
    )
    .action((shell: Shell | undefined, options: { words?: NameKind }) => complete(io, shell, options));
}
