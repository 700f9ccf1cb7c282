import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { UsageError } from '../usage-error.js';

const holderSchema = z.object({ pid: z.number().int(), host: z.string(), since: z.string() });

type Holder = z.infer<typeof holderSchema>;

function holderOf(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whoever wrote it is known to be gone: a process of this host that does not run any more. */
const isStale = (holder: Holder | undefined) =>
  holder !== undefined && holder.host === hostname() && !isRunning(holder.pid);

function refusal(path: string, holder: Holder | undefined): UsageError {
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host}, since ${holder.since},`;
  return new UsageError(`${path} says that ${who} works on this sweep.`, {
    remedy: `Wait for it, or write to another file; if it is gone, delete ${path}.`,
  });
}

/** Takes away a lock that was left behind; puts it back where another process was faster and took it. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    if (readFileSync(aside, 'utf8') !== text) linkSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}

function tryCreate(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Makes a lock file, until it is disposed. One that a process of this host left behind when it died is taken over.
 * @throws UsageError where another process has it
 */
export function takeLock(path: string): Disposable {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() });
  for (let attempt = 0; attempt < 3; attempt++) {
    if (tryCreate(path, own)) return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      continue; // Given back in between.
    }
    const holder = holderOf(text);
    if (!isStale(holder)) throw refusal(path, holder);
    removeStale(path, text);
  }
  throw refusal(path, undefined);
}
