import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from './cache-folder.js';
import type { KernelResources } from './log.js';

/** What one compilation gave. */
export interface CacheEntry {
  readonly bytes: Uint8Array;
  /** By device symbol; undefined where no ptxas ran. */
  readonly resources: Readonly<Record<string, KernelResources>> | undefined;
  /** The compiler's warnings. */
  readonly log: string;
  /** Whether it would be made with the same bytes again. */
  readonly reproducible: boolean;
}

function digestOf(...parts: Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** Name of a compilation: a digest of all that can change its result. */
export function cacheKey(parts: Readonly<Record<string, unknown>>): string {
  return digestOf(new TextEncoder().encode(JSON.stringify(parts)));
}

function pathOf(key: string): string {
  return join(cacheFolder(), 'compile', key.slice(0, 2), key.slice(2));
}

/** Three parts: digest of the rest, a line each for it and the facts, then the bytes. */
function encode({ bytes, ...facts }: CacheEntry): Uint8Array {
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), bytes]);
  return Buffer.concat([Buffer.from(`${digestOf(rest)}\n`), rest]);
}

function decode(file: Buffer): CacheEntry | undefined {
  const rest = file.subarray(65);
  if (file.length < 66 || file.toString('latin1', 0, 64) !== digestOf(rest)) return undefined;
  const end = rest.indexOf(10);
  const facts = JSON.parse(rest.toString('utf8', 0, end)) as Omit<CacheEntry, 'bytes'>;
  const { resources, log, reproducible } = facts;
  return { resources, log, reproducible, bytes: new Uint8Array(rest.subarray(end + 1)) };
}

/** The entry under a key; undefined where there is none or its bytes are damaged. */
export async function readCache(key: string): Promise<CacheEntry | undefined> {
  const file = await readFile(pathOf(key)).catch(() => undefined);
  return file === undefined ? undefined : decode(file);
}

/**
 * Stores an entry: written beside its place, then renamed, so that a reader sees all of it or nothing, whatever other
 * processes do. False where the folder cannot be written, which costs time and nothing else.
 */
export async function writeCache(key: string, entry: CacheEntry): Promise<boolean> {
  const path = pathOf(key);
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, encode(entry));
    await rename(temporary, path);
    return true;
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
    return false;
  }
}

/** Removes every cached compilation. */
export async function clearCache(): Promise<void> {
  await rm(join(cacheFolder(), 'compile'), { recursive: true, force: true });
}
