import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Processes that run beside this one, started by the same parent; one that only waits to be counted as dead is none.
 * Empty where there is no /proc.
 * @param {number} self
 * @param {number} parent
 * @returns {number[]} process ids
 */
export function siblings(self, parent) {
  /** @type {string[]} */
  let entries = [];
  try {
    entries = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return entries.map(Number).filter((pid) => {
    if (pid === self) return false;
    try {
      // pid (name) state parent …, where the name may hold anything.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, parentOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state !== 'Z' && Number(parentOf) === parent;
    } catch {
      return false;
    }
  });
}

/**
 * Waits until the processes beside this one have ended. A process that used a GPU takes a while to end, and holds
 * device memory until then.
 * @param {{ self: number, parent: number, limitMs: number }} options
 * @returns {Promise<boolean>} false where they had not by then
 */
export async function waitForTurn({ self, parent, limitMs }) {
  const end = performance.now() + limitMs;
  while (siblings(self, parent).length > 0) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}
