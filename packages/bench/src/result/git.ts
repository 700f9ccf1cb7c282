import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchResult } from './schema.js';

const execute = promisify(execFile);

/** Longer than git takes in a large repository; a file system that hangs must not keep a measurement waiting. */
const LONGEST_MS = 10_000;

async function git(folder: string, ...words: string[]): Promise<string> {
  const { stdout } = await execute('git', ['-C', folder, ...words], { timeout: LONGEST_MS });
  return stdout.trim();
}

/** The revision of the repository that a folder is in; undefined where there is none, or no git. */
export async function gitFacts(folder: string): Promise<BenchResult['git']> {
  try {
    const revision = await git(folder, 'rev-parse', 'HEAD');
    const changes = await git(folder, 'status', '--porcelain', '--untracked-files=no');
    return { revision, dirty: changes !== '' };
  } catch {
    return undefined;
  }
}
