import { Command } from 'commander';
import { columnsOf } from '../render/style.js';
import { toolVersions } from '../result/provenance.js';
import { benchCommand } from './commands/bench.js';
import { doctorCommand } from './commands/doctor.js';
import { experimentCommand } from './commands/experiment.js';
import { inspectCommand } from './commands/inspect.js';
import { listCommand } from './commands/list.js';
import { reportCommand } from './commands/report.js';
import { tourCommand } from './commands/tour.js';
import { verifyCommand } from './commands/verify.js';
import type { Io } from './io.js';

const after = `
Kernels are those of the packages that the nearest package.json depends on;
FFMA_ROOT names another folder to look from.
Select them by name (k02), variant (k02/name, or k02/* for all), full id,
package, or all.

Exit codes: 0 all well; 1 something failed or is wrong; 2 wrong usage;
130 interrupted.
FFMA_DEBUG=1 adds stacks to errors, NO_COLOR=1 turns colours off.`;

const commands = [
  tourCommand,
  listCommand,
  doctorCommand,
  verifyCommand,
  benchCommand,
  experimentCommand,
  reportCommand,
  inspectCommand,
];

/** The `ffma` command line. Errors are thrown, not printed; see `reportError`. */
export function ffmaProgram(io: Io): Command {
  const program = new Command('ffma')
    .description(
      'The laboratory for FP32 matrix-multiply kernels: verify them, count what they do, compare them.',
    )
    .version(toolVersions()['@ffma/bench'] ?? 'unknown')
    .addHelpText('after', after);
  for (const command of commands) program.addCommand(command(io));
  const subcommands = program.commands.flatMap((command) => command.commands);
  for (const command of [program, ...program.commands, ...subcommands]) {
    command
      .exitOverride()
      .showSuggestionAfterError()
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: (text) => io.stderr.write(text),
        getOutHelpWidth: () => columnsOf(io.stdout),
        getErrHelpWidth: () => columnsOf(io.stderr),
      });
  }
  return program;
}
