import { createRequire } from 'node:module';
import { Command } from 'commander';
import { columnsOf } from '../render/style.js';
import { type CommandEntry, commands } from './commands.js';
import { exitCodes } from './exit-codes.js';
import type { Io } from './io.js';

const codes = Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`);

const after = `
Kernels are those of the packages that the nearest package.json depends on;
FFMA_ROOT names another folder to look from.
Select them by name (k02), variant (k02/name, or k02/* for all), full id,
package, or all.

Exit codes:
${codes.join('\n')}

FFMA_DEBUG=1 adds stacks to errors, NO_COLOR=1 turns colours off.`;

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

async function commandOf(io: Io, name: string, entry: CommandEntry, loaded: boolean): Promise<Command> {
  const command = loaded ? (await entry.load())(io) : new Command(name);
  return command.description(entry.description);
}

/** A command and all below it write where the command line was told to, and throw instead of ending the process. */
function settle(command: Command, io: Io): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => columnsOf(io.stdout),
      getErrHelpWidth: () => columnsOf(io.stderr),
    });
  for (const one of command.commands) settle(one, io);
}

/**
 * The `ffma` command line. Errors are thrown, not printed; see `reportError`.
 * @param words what was typed: commands that it does not name are there by name and description alone, since loading
 * them all takes longer than showing help may; `all` loads every one
 */
export async function ffmaProgram(io: Io, words: readonly string[] | 'all'): Promise<Command> {
  const program = new Command('ffma')
    .description(
      'The laboratory for FP32 matrix-multiply kernels: verify them, count what they do, compare them.',
    )
    .version(version)
    .addHelpText('after', after);
  for (const [name, entry] of Object.entries(commands)) {
    const loaded = words === 'all' || words.includes(name);
    const command = await commandOf(io, name, entry, loaded);
    program.addCommand(command, { hidden: entry.hidden === true });
  }
  settle(program, io);
  return program;
}
