/**
 * What the race check keeps of a word of shared memory: who wrote it last, and who has read it since. Each is one i32:
 * the stamp of the interval between barriers in which it happened, and in the low bits, who.
 */
export const RACE = {
  stampShift: 12,
  /** Stamps end here; the planes are cleared then. */
  lastStamp: 2 ** 19 - 1,
  /** An atomic, or an access that orders others: two of those do not race. */
  atomic: 0x800,
  /** Below 1024 a thread; from here on several lanes of one warp, by its number; the last is threads of several warps. */
  warp: 1024,
  many: 0x7ff,
} as const;

/**
 * Planes of the race check, each as large as shared memory and laid out alike: writes, reads, and the sites of either.
 * All entries of the first two are 0 at first: stamps start at 1.
 */
export const RACE_PLANE = { writes: 0, reads: 1, writeSites: 2, readSites: 3, count: 4 } as const;

/** What translated code says that it is about to do. */
export const RACE_ACCESS = { read: 0, write: 1, atomic: 2, orderedRead: 3, orderedWrite: 4 } as const;

export const stampOf = (entry: number): number => entry >>> RACE.stampShift;
export const whoOf = (entry: number): number => entry & RACE.many;
export const isAtomic = (entry: number): boolean => (entry & RACE.atomic) !== 0;

/** The warp that all threads of an entry belong to; undefined where they are of several. */
export function warpOf(who: number): number | undefined {
  if (who < RACE.warp) return who >> 5;
  return who === RACE.many ? undefined : who - RACE.warp;
}

/** Both entries in one, as late as the later: a thread, lanes of a warp, or threads of several. */
export function mergedEntry(a: number, b: number): number {
  const [whoA, whoB] = [whoOf(a), whoOf(b)];
  const stamp = Math.max(stampOf(a), stampOf(b)) << RACE.stampShift;
  const atomic = a & b & RACE.atomic;
  if (whoA === whoB) return stamp | atomic | whoA;
  const warp = warpOf(whoA);
  const same = warp !== undefined && warp === warpOf(whoB);
  return stamp | atomic | (same ? RACE.warp + warp : RACE.many);
}
