/** Shells that a completion can be made for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A script that makes a shell complete `ffma`: from the commands and options that there are. */
export async function shellCompletion(shell: Shell): Promise<string> {
  const { ffmaProgram } = await import('../program.js');
  const { processIo } = await import('../io.js');
  const { completedCommands } = await import('./spec.js');
  const { bashCompletion, fishCompletion, zshCompletion } = await import('./shells.js');
  const make = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell];
  return make(completedCommands(await ffmaProgram(processIo(), 'all')));
}
