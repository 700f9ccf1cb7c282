import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheFolder } from '@ffma/core/compile';

/** What a stored digest holds for, and the digest. */
interface Entry {
  readonly path: string;
  readonly bytes: number;
  /** Nanoseconds, as text: more than a double holds. */
  readonly modified: string;
  readonly sha256: string;
}

async function hash(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), digest);
  return digest.digest('hex');
}

async function stored(file: string, wanted: Omit<Entry, 'sha256'>): Promise<string | undefined> {
  try {
    const entry = JSON.parse(await readFile(file, 'utf8')) as Entry;
    const same = (['path', 'bytes', 'modified'] as const).every((name) => entry[name] === wanted[name]);
    return same && /^[0-9a-f]{64}$/.test(entry.sha256) ? entry.sha256 : undefined;
  } catch {
    return undefined;
  }
}

/** Written beside its place, then renamed. A folder that cannot be written costs time and nothing else. */
async function store(folder: string, file: string, entry: Entry): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(temporary, `${JSON.stringify(entry)}\n`);
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * Hex SHA-256 of a large file. It is computed once and remembered in ffma's cache folder for as long as the file's
 * path, size and time of change stay the same.
 */
export async function fileDigest(path: string): Promise<string> {
  const real = await realpath(path);
  const { size, mtimeNs } = await stat(real, { bigint: true });
  const wanted = { path: real, bytes: Number(size), modified: `${mtimeNs}` };
  const folder = join(cacheFolder(), 'digests');
  const file = join(folder, `${createHash('sha256').update(real).digest('hex').slice(0, 32)}.json`);
  const known = await stored(file, wanted);
  if (known !== undefined) return known;
  const sha256 = await hash(real);
  await store(folder, file, { ...wanted, sha256 });
  return sha256;
}
