import type { Io } from './io.js';
import { ffmaProgram } from './program.js';
import { reportError } from './report-error.js';

/** Runs the `ffma` command line on arguments (without node and script) and returns its exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const program = await ffmaProgram(io, argv);
    await program.parseAsync(argv, { from: 'user' });
    return io.exitCode;
  } catch (error) {
    return reportError(error, io);
  }
}
