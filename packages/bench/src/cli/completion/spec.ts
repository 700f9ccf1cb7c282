import type { Argument, Command, Option } from 'commander';

/** What a shell can offer for a value: words that are known, files, names that are asked for when it needs them. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'names'; readonly of: NameKind }
  | { readonly kind: 'anything' };

/** Names that depend on the folder: `ffma completion --words <kind>` prints them. */
export const nameKinds = ['kernels', 'suites', 'experiments'] as const;
export type NameKind = (typeof nameKinds)[number];

export interface CompletedOption {
  /** As they are typed: `--device`, `-d`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent where it takes no value. */
  readonly values?: Values;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** Words that lead to it: none for `ffma` itself, `experiment run`. */
  readonly path: readonly string[];
  readonly options: readonly CompletedOption[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** What stands behind it besides options. */
  readonly values: Values;
}

/** What the word in `<…>` or `[…]` says of a value: it is the same word everywhere. */
const byWord: Readonly<Record<string, Values>> = {
  kernel: { kind: 'names', of: 'kernels' },
  suite: { kind: 'names', of: 'suites' },
  experiment: { kind: 'names', of: 'experiments' },
  file: { kind: 'files' },
  folder: { kind: 'files' },
};

function valuesOf(word: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined && choices.length > 0) return { kind: 'words', words: choices };
  const singular = word.replaceAll(/[<>[\].]/g, '').replace(/s$/, '');
  return byWord[singular] ?? { kind: 'anything' };
}

function optionOf(option: Option): CompletedOption {
  const flags = [option.long, option.short].filter((flag) => flag !== undefined && flag !== null);
  const takes = option.required || option.optional;
  const word = /[<[]([^>\]]+)/.exec(option.flags)?.[1] ?? '';
  return {
    flags,
    description: option.description,
    ...(takes ? { values: valuesOf(word, option.argChoices) } : {}),
  };
}

const argumentValues = (argument: Argument | undefined): Values =>
  argument === undefined
    ? { kind: 'words', words: [] }
    : valuesOf(argument.name(), argument.argChoices ?? undefined);

/** A program and all commands below it, but for what it hides. */
export function completedCommands(command: Command, path: readonly string[] = []): CompletedCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own: CompletedCommand = {
    path,
    options: help.visibleOptions(command).map(optionOf),
    commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
    values: argumentValues(command.registeredArguments[0]),
  };
  return [own, ...commands.flatMap((one) => completedCommands(one, [...path, one.name()]))];
}
