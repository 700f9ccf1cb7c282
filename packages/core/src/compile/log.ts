/** What ptxas says that one kernel uses. */
export interface KernelResources {
  /** Registers a thread. */
  readonly registers: number;
  /** Static shared memory a block, in bytes. */
  readonly sharedBytes: number;
  /** Bytes that a thread stores and loads because registers ran out; 0 where none are spilled. */
  readonly spillBytes: number;
}

/** A log with file names as they are inside the folder of the compilation. */
export function portableLog(log: string, folder: string): string {
  return log
    .replaceAll(`${folder}/`, '')
    .replace(/(^|[\s"'])\.\//gm, '$1')
    .trim();
}

/** The first line of a compiler's log that reports an error; its first line where none does. */
export function firstError(log: string): string {
  const lines = log
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => /\b(fatal|error)\b\s*:?/i.test(line)) ?? lines[0] ?? 'it said nothing.';
}

/** Reads `ptxas -v`: resources by device symbol. */
export function parseResources(log: string): Record<string, KernelResources> {
  const found: Record<string, KernelResources> = {};
  let symbol: string | undefined;
  let spillBytes = 0;
  for (const line of log.split('\n')) {
    const entry = /Compiling entry function '([^']+)'/.exec(line);
    if (entry?.[1] !== undefined) {
      symbol = entry[1];
      spillBytes = 0;
    }
    const spills = /(\d+) bytes spill stores, (\d+) bytes spill loads/.exec(line);
    if (spills !== null) spillBytes = Number(spills[1]) + Number(spills[2]);
    const used = /Used (\d+) registers/.exec(line);
    if (used === null || symbol === undefined) continue;
    const shared = /(\d+)(?:\+\d+)? bytes smem/.exec(line);
    found[symbol] = { registers: Number(used[1]), sharedBytes: Number(shared?.[1] ?? 0), spillBytes };
    symbol = undefined;
  }
  return found;
}
