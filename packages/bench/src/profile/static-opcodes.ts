import { inspectSass } from '../inspect/sass.js';
import { opcodeCounts } from './opcodes.js';
import type { ProfileOpcodes, ProfileRow } from './schema.js';
import type { ProfileTask } from './task.js';

/**
 * A row whose launches all have opcodes, where that can be: those that ncu did not count as they stand in the machine code
 * that ran, marked so. Code that the driver compiled is not at hand, and counts of other code would be wrong.
 */
export async function withStaticOpcodes(
  row: ProfileRow,
  { kernel, size }: ProfileTask,
  arch: string,
  env: NodeJS.ProcessEnv,
): Promise<ProfileRow> {
  if (row.artefact?.ranAs !== 'cubin' || row.launches.every(({ opcodes }) => opcodes !== undefined))
    return row;
  // What cannot be read is not there; the profile itself is none the worse.
  const sass = await inspectSass(kernel, { arch, shape: size, env }).catch(() => undefined);
  if (sass === undefined || sass.sha256 !== row.artefact.sha256) return row;
  const bySymbol = new Map<string, ProfileOpcodes>(
    sass.functions.map(({ symbol, opcodes }) => [symbol, opcodeCounts('static', Object.entries(opcodes))]),
  );
  return {
    ...row,
    launches: row.launches.map((launch) => {
      const opcodes = launch.opcodes ?? bySymbol.get(launch.kernel);
      return opcodes === undefined ? launch : { ...launch, opcodes };
    }),
  };
}
