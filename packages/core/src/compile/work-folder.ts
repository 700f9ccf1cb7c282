import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Where a compilation runs. */
export interface WorkFolder {
  readonly path: string;
  /** Whether it is where the same compilation always runs; else its name is random. */
  readonly usual: boolean;
}

/** How long another process that compiles the same is waited for, and when it must have died, in milliseconds. */
const WAIT_MS = 20_000;
const STALE_MS = 300_000;
const POLL_MS = 50;

/** Makes a folder for its owner alone. False where there is one of that name, whoever made it. */
async function made(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function open(name: string, waitMs: number): Promise<WorkFolder> {
  const root = await realpath(tmpdir());
  const path = join(root, `ffma-${name}`);
  for (const end = performance.now() + waitMs; ; await setTimeout(POLL_MS)) {
    if (await made(path)) return { path, usual: true };
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > STALE_MS) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    if (performance.now() > end) break;
  }
  return { path: await mkdtemp(join(root, 'ffma-')), usual: false };
}

/**
 * Runs `work` in a temporary folder that holds the files, and removes it. The folder has the given name, so that the
 * same compilation has the same path each time, which nvcc's output depends on; one of another name where a process that
 * compiles the same does not come to an end.
 */
export async function inWorkFolder<T>(
  name: string,
  files: ReadonlyMap<string, string>,
  work: (folder: WorkFolder) => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const folder = await open(name, waitMs);
  try {
    for (const [file, text] of files) {
      await mkdir(dirname(join(folder.path, file)), { recursive: true });
      await writeFile(join(folder.path, file), text);
    }
    return await work(folder);
  } finally {
    await rm(folder.path, { recursive: true, force: true });
  }
}
