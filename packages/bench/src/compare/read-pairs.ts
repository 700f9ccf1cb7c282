import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sentenceOf } from '../error-sentence.js';
import { readAnyResult } from '../result/read.js';
import { parseResult, readResult } from '../result/store.js';
import { UsageError } from '../usage-error.js';
import { commitOf, fileAt } from './git.js';
import type { ComparedFile, FilePair } from './match.js';

/** What is to be compared, and what was left out, as sentences. */
export interface ReadPairs {
  readonly pairs: readonly FilePair[];
  readonly notes: readonly string[];
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${sentenceOf(error)}.`, { cause: error });
  });
  return found.isDirectory();
}

const readOne = async (from: string): Promise<ComparedFile> => ({ from, result: await readResult(from) });

/** The results of benchmarks in a folder, by file name, and those of other kinds. */
async function readFolder(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const files = new Map<string, ComparedFile>();
  const notes: string[] = [];
  for (const name of names) {
    const from = join(folder, name);
    const result = await readAnyResult(from);
    if (result.kind === 'bench') files.set(name, { from, result });
    else notes.push(`${from} is a ${result.kind} result, and was not compared.`);
  }
  return { files, notes };
}

async function readFolders(base: string, fresh: string): Promise<ReadPairs> {
  const [old, now] = [await readFolder(base), await readFolder(fresh)];
  const pairs = [...now.files].flatMap(([name, file]) => {
    const before = old.files.get(name);
    return before === undefined ? [] : [{ base: before, new: file }];
  });
  const alone = (
    files: ReadonlyMap<string, ComparedFile>,
    others: ReadonlyMap<string, ComparedFile>,
    other: string,
  ) =>
    [...files.keys()]
      .filter((name) => !others.has(name))
      .map((name) => `${name} is not in ${other}, and was not compared.`);
  if (pairs.length === 0)
    throw new UsageError(`${base} and ${fresh} have no result of ffma bench of the same file name.`);
  return {
    pairs,
    notes: [
      ...old.notes,
      ...now.notes,
      ...alone(old.files, now.files, fresh),
      ...alone(now.files, old.files, base),
    ],
  };
}

/**
 * Two result files, or those of two folders that have the same names.
 * @throws UsageError naming the file that cannot be read
 */
export async function readPairs(base: string, fresh: string): Promise<ReadPairs> {
  const [old, now] = [await isFolder(base), await isFolder(fresh)];
  if (old !== now)
    throw new UsageError(`${old ? base : fresh} is a folder and ${old ? fresh : base} a file.`, {
      remedy: 'Name two files, or two folders.',
    });
  if (old) return readFolders(base, fresh);
  return { pairs: [{ base: await readOne(base), new: await readOne(fresh) }], notes: [] };
}

/**
 * Result files at a revision of git, beside the same at another one or as they are in the working tree.
 * @param given a revision, perhaps a second one (or both as `main..feature`), and files
 * @throws UsageError
 */
export async function readRevisions(given: readonly string[]): Promise<ReadPairs> {
  const [first = '', ...rest] = given;
  const last = rest.at(-1);
  if (last === undefined)
    throw new UsageError('--git compares a revision, or two, of at least one file.', {
      remedy: 'For example: ffma compare --git main results/h200.json',
    });
  // As git writes a range: main..feature.
  const [base = '', end] = first.split(/(?<=[^.])\.\.(?=[^.])/);
  const [second = ''] = rest;
  const named = end === undefined && rest.length > 1 && (await commitOf(second, last)) !== undefined;
  const fresh = named ? second : end;
  const files = named ? rest.slice(1) : rest;
  const at = async (revision: string, file: string): Promise<ComparedFile> => {
    const from = `${revision}:${file}`;
    return { from, result: parseResult(await fileAt(revision, file), from) };
  };
  const pairs: FilePair[] = [];
  for (const file of files) {
    const before = await at(base, file);
    pairs.push({ base: before, new: fresh === undefined ? await readOne(file) : await at(fresh, file) });
  }
  return { pairs, notes: [] };
}
