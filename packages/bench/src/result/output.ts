import { constants, write } from 'node:fs';
import { access, lstat, open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ArgumentError } from '@ffma/core';
import { sentenceOf } from '../error-sentence.js';
import { UsageError } from '../usage-error.js';

/** Where text goes. */
type Target =
  /** A regular file, or none yet: it is replaced as a whole. `mode` is that of the file there is. */
  | { readonly kind: 'file'; readonly path: string; readonly mode?: number }
  /** A pipe or a device: it is written to, never replaced. */
  | { readonly kind: 'stream'; readonly path: string }
  /** What this process has open already, as `/dev/stdout`. */
  | { readonly kind: 'descriptor'; readonly descriptor: number };

/** `/dev/fd/1` as the system calls it: opened again, it would be another one, at the beginning of what it leads to. */
const descriptors = new RegExp(`^(?:/proc/${process.pid}(?:/task/\\d+)?|/dev)/fd/(\\d+)$`);

/** As many links as Linux follows. */
const MOST_LINKS = 40;

/** Follows links to what is there at their end. @throws Error where that can be no target */
async function targetOf(given: string): Promise<Target> {
  if (given === '') throw new Error('its name is empty');
  let path = resolve(given);
  for (let links = 0; links <= MOST_LINKS; links++) {
    path = join(await realpath(dirname(path)), basename(path));
    const open = descriptors.exec(path);
    if (open !== null) return { kind: 'descriptor', descriptor: Number(open[1]) };
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (found === undefined) return { kind: 'file', path };
    if (found.isDirectory()) throw new Error('it is a folder');
    if (found.isFile()) return { kind: 'file', path, mode: found.mode & 0o777 };
    if (!found.isSymbolicLink()) return { kind: 'stream', path };
    path = resolve(dirname(path), await readlink(path));
  }
  throw new Error(`it leads over more than ${MOST_LINKS} links`);
}

const temporaryBeside = (path: string) => `${path}.${process.pid}.${Date.now()}.tmp`;

async function createBeside(path: string) {
  const temporary = temporaryBeside(path);
  return { temporary, file: await open(temporary, 'wx') };
}

async function replaceFile({ path, mode }: Target & { kind: 'file' }, text: string): Promise<void> {
  const { temporary, file } = await createBeside(path);
  try {
    try {
      await file.writeFile(text);
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeStream(path: string, text: string): Promise<void> {
  const file = await open(path, constants.O_WRONLY);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

const writeSome = promisify(write);

async function writeDescriptor(descriptor: number, text: string): Promise<void> {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray((await writeSome(descriptor, rest)).bytesWritten);
    } catch (error) {
      // A pipe that is full, and that its other end has set not to wait.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await setTimeout(5);
    }
  }
}

/** @throws Error where there is no such place, or nothing can be written there */
async function tryOut(path: string): Promise<Target> {
  const target = await targetOf(path);
  if (target.kind === 'descriptor') {
    await writeSome(target.descriptor, Buffer.alloc(0));
  } else if (target.kind === 'stream') {
    // It is not opened: whoever reads a pipe would take that for the end.
    await access(target.path, constants.W_OK);
  } else {
    const { temporary, file } = await createBeside(target.path);
    await file.close();
    await rm(temporary);
  }
  return target;
}

const reasonOf = (error: unknown) => sentenceOf(error).replace(/\.$/, '');

/**
 * Says before long work that its result could not be kept, by trying it.
 * @returns whether it is a regular file, or will be: what can be written again and again, and read
 * @throws UsageError
 */
export async function checkWritable(path: string): Promise<{ readonly regular: boolean }> {
  try {
    return { regular: (await tryOut(path)).kind === 'file' };
  } catch (error) {
    throw new UsageError(`${path || "''"} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}

/**
 * Writes text where a path leads, over links. A file is replaced so that a reader sees the old content or the new, never
 * a part; a pipe or a device is written to.
 * @throws ArgumentError
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  try {
    const target = await targetOf(path);
    if (target.kind === 'file') await replaceFile(target, text);
    else if (target.kind === 'stream') await writeStream(target.path, text);
    else await writeDescriptor(target.descriptor, text);
  } catch (error) {
    throw new ArgumentError(`${path} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}
