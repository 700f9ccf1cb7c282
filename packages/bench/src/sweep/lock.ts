import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { UsageError } from '../usage-error.js';

const holderSchema = z.object({
  pid: z.number().int(),
  host: z.string(),
  since: z.string(),
  /** Tells apart processes that have one number, one after the other; empty where the system does not say. */
  run: z.string(),
});

type Holder = z.infer<typeof holderSchema>;

function holderOf(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Which run of the host a process is of, and when in it the process began, as Linux says. */
function runOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // Behind the name, which may hold anything, the start is the 20th figure (proc(5)).
    const started = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
    return `${boot} ${started}`;
  } catch {
    return '';
  }
}

function isRunning({ pid, run }: Holder): boolean {
  // Containers that follow each other have the same name, and the same numbers of processes.
  if (run !== '' && runOf(pid) !== run) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whoever wrote it is known to be gone: a process of this host that does not run any more. */
const isStale = (holder: Holder | undefined) =>
  holder !== undefined && holder.host === hostname() && !isRunning(holder);

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

/** Given back when it is disposed, or when the process ends by itself. */
function held(path: string): Disposable {
  const giveBack = () => rmSync(path, { force: true });
  process.once('exit', giveBack);
  return {
    [Symbol.dispose]: () => {
      process.off('exit', giveBack);
      giveBack();
    },
  };
}

/**
 * Makes a lock file, until it is disposed. One that a process of this host left behind when it died is taken over.
 * @throws UsageError where another process has it
 */
export function takeLock(path: string): Disposable {
  const { pid } = process;
  const own = JSON.stringify({ pid, host: hostname(), since: new Date().toISOString(), run: runOf(pid) });
  for (let attempt = 0; attempt < 3; attempt++) {
    if (tryCreate(path, own)) return held(path);
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
