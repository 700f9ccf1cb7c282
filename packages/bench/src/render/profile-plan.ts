import type { PlannedProfile } from '../profile/dry-run.js';
import { shape } from './numbers.js';
import { shellCommand, shellList } from './shell.js';
import { wrap } from './text.js';

/** The metrics are the same of all, and long: they are named once. */
const VARIABLE = 'metrics';

function metricsOf({ command = [] }: PlannedProfile): string | undefined {
  const at = command.indexOf('--metrics');
  return at < 0 ? undefined : command[at + 1];
}

/** A shell script that profiles what was planned, with what is to be said of it as comments. */
export function renderPlannedProfiles(planned: readonly PlannedProfile[], width: number): string[] {
  const metrics = planned.map(metricsOf).find((list) => list !== undefined);
  const lines = metrics === undefined ? [] : [...shellList(VARIABLE, metrics.split(','), width), ''];
  for (const { id, size, command, note } of planned) {
    if (note !== undefined)
      lines.push(...wrap(`${id} at ${shape(size)}: ${note}`, width - 2).map((line) => `# ${line}`));
    if (command !== undefined)
      lines.push(...shellCommand(command, width, new Map([[metrics ?? '', `"$${VARIABLE}"`]])), '');
  }
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
