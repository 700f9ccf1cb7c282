import type { CompletedCommand, Values } from './spec.js';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const at = ({ path }: CompletedCommand) => path.join(' ');

/** Options that take a value, as patterns of what stands before it: `'bench --device'|'bench -d'`. */
function valueCases(commands: readonly CompletedCommand[], offer: (values: Values) => string, open: string) {
  return commands.flatMap((command) =>
    command.options.flatMap(({ flags, values }) => {
      if (values === undefined) return [];
      const patterns = flags.map((flag) => quoted(`${at(command)} ${flag}`)).join('|');
      return [`    ${open}${patterns}) ${offer(values)}; return ;;`];
    }),
  );
}

/** Commands that lead on, as patterns of the words up to them. */
const paths = (commands: readonly CompletedCommand[]) =>
  commands
    .filter(({ path }) => path.length > 0)
    .map((command) => quoted(at(command)))
    .join('|');

/** The words before the one that is completed, as the command that they lead to. */
const walk = (
  commands: readonly CompletedCommand[],
  first: number,
  words: string,
  count: string,
  open = '',
) => `\
  local at='' i word
  for ((i = ${first}; i < ${count}; i++)); do
    word=\${${words}[i]}
    case "\${at:+$at }$word" in
      ${open}${paths(commands)}) at="\${at:+$at }$word" ;;
    esac
  done`;

const asked = (program: string, of: string) => `$(${program} completion --words ${of} 2>/dev/null)`;

/** A completion for bash: `source <(ffma completion bash)`. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const words = (list: string) => `COMPREPLY=($(compgen -W ${list} -- "$cur"))`;
  const offer = (values: Values): string => {
    if (values.kind === 'words') return words(quoted(values.words.join(' ')));
    if (values.kind === 'names') return words(`"${asked(`"\${COMP_WORDS[0]}"`, values.of)}"`);
    return values.kind === 'files'
      ? 'COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null'
      : ':';
  };
  const cases = (of: (command: CompletedCommand) => string) =>
    commands.map((command) => `    ${quoted(at(command))}) ${of(command)} ;;`).join('\n');
  return `# Completion of ffma for bash. Add to ~/.bashrc: source <(ffma completion bash)
_ffma() {
  # Names such as k02/* are words, not patterns of files.
  local - IFS=$' \\n' cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  set -f
  COMPREPLY=()
${walk(commands, 1, 'COMP_WORDS', 'COMP_CWORD')}
  case "$at $prev" in
${valueCases(commands, offer, '').join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $at in
${cases(({ options }) => words(quoted(options.flatMap(({ flags }) => flags).join(' '))))}
    esac
    return
  fi
  case $at in
${cases((command) =>
  command.commands.length > 0
    ? words(quoted(command.commands.map(({ name }) => name).join(' ')))
    : offer(command.values),
)}
  esac
}
complete -F _ffma ffma
`;
}

/** A completion for zsh: `source <(ffma completion zsh)`, or a file named `_ffma` of the fpath. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const described = (list: readonly (readonly [string, string])[]) =>
    list.map(([word, what]) => quoted(`${word.replaceAll(':', '\\:')}:${what}`)).join(' ');
  const offer = (values: Values): string => {
    if (values.kind === 'words') return `compadd -- ${values.words.map(quoted).join(' ')}`;
    if (values.kind === 'names') return `compadd -- \${(f)"${asked(`"\${words[1]}"`, values.of)}"}`;
    return values.kind === 'files' ? '_files' : ':';
  };
  const cases = (of: (command: CompletedCommand) => string) =>
    commands.map((command) => `    (${quoted(at(command))}) ${of(command)} ;;`).join('\n');
  return `#compdef ffma
# Completion of ffma for zsh. Add to ~/.zshrc, after compinit: source <(ffma completion zsh)
_ffma() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT - 1]}
  local -a found
${walk(commands, 2, 'words', 'CURRENT', '(')}
  case "$at $prev" in
${valueCases(commands, offer, '(').join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $at in
${cases(({ options }) => `found=(${described(options.flatMap(({ flags, description }) => flags.map((flag) => [flag, description] as const)))})`)}
    esac
    _describe option found
    return
  fi
  case $at in
${cases((command) =>
  command.commands.length > 0
    ? `found=(${described(command.commands.map(({ name, description }) => [name, description]))}); _describe command found`
    : offer(command.values),
)}
  esac
}
if [[ $funcstack[1] == _ffma ]]; then _ffma "$@"; else compdef _ffma ffma; fi
`;
}

/** A completion for fish: `ffma completion fish > ~/.config/fish/completions/ffma.fish`. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const text = (of: string) => `'${of.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const behind = ({ path, commands: below }: CompletedCommand) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const not =
      below.length === 0
        ? []
        : [`not __fish_seen_subcommand_from ${below.map(({ name }) => name).join(' ')}`];
    return text([...seen, ...not].join('; and '));
  };
  const offer = (values: Values): string => {
    if (values.kind === 'words') return `-x -a ${text(values.words.join(' '))}`;
    if (values.kind === 'names') return `-x -a '(ffma completion --words ${values.of} 2>/dev/null)'`;
    return values.kind === 'files' ? '-r -F' : '-x';
  };
  const flag = (name: string) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`);
  const lines = commands.flatMap((command) => {
    const when = `complete -c ffma -n ${behind(command)}`;
    const { values } = command;
    return [
      ...command.commands.map(({ name, description }) => `${when} -a ${name} -d ${text(description)}`),
      ...command.options.map(({ flags, description, values: own }) =>
        [when, ...flags.map(flag), ...(own === undefined ? [] : [offer(own)]), '-d', text(description)].join(
          ' ',
        ),
      ),
      ...(command.commands.length > 0 || values.kind === 'anything'
        ? []
        : [`${when} ${offer(values).replace('-x ', '')}`]),
    ];
  });
  return `# Completion of ffma for fish: ffma completion fish > ~/.config/fish/completions/ffma.fish
complete -c ffma -f
${lines.filter((line) => !line.endsWith("-a ''")).join('\n')}
`;
}
