import type { NcuLaunch } from './ncu-page.js';
import type { ProfileOpcodes } from './schema.js';

/** Counts by opcode, the most frequent first, and what follows from them. */
export function opcodeCounts(
  level: ProfileOpcodes['level'],
  counts: Iterable<readonly [string, number]>,
): ProfileOpcodes {
  const byOpcode = new Map<string, number>();
  for (const [opcode, count] of counts) {
    // `FFMA.FTZ` counts as FFMA.
    const plain = opcode.split('.')[0] as string;
    byOpcode.set(plain, (byOpcode.get(plain) ?? 0) + count);
  }
  const sorted = [...byOpcode].sort(([x, m], [y, n]) => n - m || (x < y ? -1 : 1));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const ffma = byOpcode.get('FFMA') ?? 0;
  return {
    level,
    counts: Object.fromEntries(sorted),
    total,
    ffmaShare: total === 0 ? null : ffma / total,
    overheadPerFfma: ffma === 0 ? null : (total - ffma) / ffma,
  };
}

/** Executed instructions of a launch, one for each warp; undefined where ncu did not count them. */
export function opcodesOf({ opcodes }: Pick<NcuLaunch, 'opcodes'>): ProfileOpcodes | undefined {
  return opcodes === undefined || opcodes.size === 0 ? undefined : opcodeCounts('executed', opcodes);
}
