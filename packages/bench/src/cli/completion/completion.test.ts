import { execFileSync } from 'node:child_process';
import { Argument, Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../../test-support/kernel-folders.js';
import { testIo } from '../../test-support/test-io.js';
import { ffmaProgram } from '../program.js';
import { run } from '../run.js';
import { bashCompletion, fishCompletion, zshCompletion } from './shells.js';
import { completedCommands } from './spec.js';

/** A program with one of everything. */
function program() {
  const bench = new Command('bench')
    .description("time kernels: don't guess")
    .argument('[kernels...]', 'which')
    .addOption(new Option('-d, --device <kind>', 'where').choices(['cuda', 'emulator']))
    .option('--json <file>', 'write it')
    .option('--suite <suite>', 'sizes')
    .option('--alpha <number>', 'a number')
    .option('--warm', 'leave the cache')
    .addOption(new Option('--secret', 'nobody sees it').hideHelp());
  const run = new Command('run').description('run one').argument('<experiment>', 'which');
  const experiment = new Command('experiment').description('questions').addCommand(run);
  const shell = new Command('completion').addArgument(new Argument('[shell]').choices(['bash', 'zsh']));
  const hidden = new Command('hidden');
  return new Command('ffma')
    .helpCommand(false)
    .addCommand(bench)
    .addCommand(experiment.helpCommand(false))
    .addCommand(shell)
    .addCommand(hidden, { hidden: true });
}

/** What bash offers for the last word, by the script itself; `ffma` is a function that names kernels. */
function offered(script: string, ...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const text = `
ffma() { [ "$*" = "completion --words kernels" ] && printf 'k01\\nk02/*\\nk02/wide\\n' || printf 'shapes\\n'; }
${script}
COMP_WORDS=(ffma ${quoted}); COMP_CWORD=${words.length}
_ffma
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-c', text], { encoding: 'utf8', cwd: import.meta.dirname });
  return out.split('\n').filter((line) => line !== '');
}

const bash = bashCompletion(completedCommands(program()));

test.each([
  [[''], ['bench', 'experiment', 'completion']],
  [['be'], ['bench']],
  [['experiment', ''], ['run']],
  [['bench', '--d'], ['--device']],
  [
    ['bench', '--device', ''],
    ['cuda', 'emulator'],
  ],
  [['bench', '-d', 'c'], ['cuda']],
  [
    ['bench', ''],
    ['k01', 'k02/*', 'k02/wide'],
  ],
  [
    ['bench', 'k01', '--warm', 'k02'],
    ['k02/*', 'k02/wide'],
  ],
  [['bench', '--suite', ''], ['shapes']],
  [['bench', '--alpha', ''], []],
  [['bench', '--json', 'compl'], ['completion.test.ts']],
  [['completion', 'z'], ['zsh']],
  [['experiment', 'run', ''], ['shapes']],
] as const)('bash: after %j it offers %j', (words, wanted) => {
  expect(offered(bash, ...words)).toEqual(wanted);
});

test('options of a command are all offered, and nothing that is hidden', () => {
  expect(offered(bash, 'bench', '-').sort()).toEqual(
    ['--alpha', '--device', '--help', '--json', '--suite', '--warm', '-d', '-h'].sort(),
  );
  for (const script of [
    bash,
    zshCompletion(completedCommands(program())),
    fishCompletion(completedCommands(program())),
  ])
    expect(script).not.toMatch(/secret|hidden/);
});

test('zsh has each option with what it does; quotes and colons are kept', () => {
  const script = zshCompletion(completedCommands(program()));
  expect(script).toMatch(/^#compdef ffma$/m);
  expect(script).toContain(`'bench:time kernels: don'\\''t guess'`);
  expect(script).toContain("'--warm:leave the cache'");
  expect(script).toContain("('bench --device'|'bench -d') compadd -- 'cuda' 'emulator'; return ;;");
  expect(script).toContain(`compadd -- \${(f)"$("\${words[1]}" completion --words kernels 2>/dev/null)"}`);
});

test('fish has each command, option and value behind the words that lead to it', () => {
  const script = fishCompletion(completedCommands(program()));
  expect(script).toContain(
    "complete -c ffma -n 'not __fish_seen_subcommand_from bench experiment completion' -a bench -d 'time kernels: don\\'t guess'",
  );
  expect(script).toContain(
    "complete -c ffma -n '__fish_seen_subcommand_from bench' -l device -s d -x -a 'cuda emulator' -d 'where'",
  );
  expect(script).toContain("-l json -r -F -d 'write it'");
  expect(script).toContain(
    "complete -c ffma -n '__fish_seen_subcommand_from experiment; and __fish_seen_subcommand_from run' -a '(ffma completion --words experiments 2>/dev/null)'",
  );
});

test('the real program is complete: every command and every option of bench', async () => {
  const io = testIo();
  expect(await run(['completion', 'bash'], io)).toBe(0);
  const all = await ffmaProgram(io, 'all');
  const names = all.commands.map((command) => command.name());
  expect(offered(io.stdout.text, '').sort()).toEqual([...names, 'help'].sort());
  const bench = all.commands.find((command) => command.name() === 'bench');
  const flags = offered(io.stdout.text, 'bench', '--');
  for (const { long } of bench?.options ?? []) expect(flags).toContain(long);
  expect(flags.length).toBeGreaterThan(20);
});

test('names are those of the folder; nothing where there are none', async () => {
  using folder = temporaryFolder({
    'package.json': kernelPackageJson('own'),
    'kernels.js': kernelModule({ name: 'k01' }, { name: 'k02', variants: ['wide'] }),
    'ffma.config.mjs': 'export default { suites: { mine: [64] } };',
  });
  const words = async (kind: string, cwd = folder.path) => {
    const io = testIo({ cwd });
    expect(await run(['completion', '--words', kind], io)).toBe(0);
    return io.stdout.text.split('\n').filter((line) => line !== '');
  };
  expect(await words('kernels')).toEqual(['k01', 'k02', 'k02/wide', 'own', 'all']);
  expect(await words('suites')).toEqual(['mine', 'shapes']);
  using broken = temporaryFolder({ 'package.json': '{', 'ffma.config.mjs': 'throw new Error();' });
  expect(await words('kernels', broken.path)).toEqual([]);
  expect(await words('suites', broken.path)).toEqual(['shapes']);
});

test('without a shell, or for one that is not known, it is wrong usage', async () => {
  for (const argv of [['completion'], ['completion', 'tcsh']]) expect(await run(argv, testIo())).toBe(2);
});
