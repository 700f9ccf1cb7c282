import { execFile } from 'node:child_process';
import { basename, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../usage-error.js';

const execute = promisify(execFile);

/** Result files are megabytes at most. */
const MOST_BYTES = 256 * 2 ** 20;

/** @throws the error of git */
async function git(folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute('git', ['-C', folder, ...args], { maxBuffer: MOST_BYTES });
  return stdout;
}

/** What git said, in its first line. */
function reasonOf(error: unknown): string {
  const { code, stderr = '', message } = error as { code?: unknown; stderr?: string; message: string };
  if (code === 'ENOENT') return 'git is not installed here';
  return (stderr.trim() || message).split('\n')[0]?.replace(/^fatal: /, '') ?? '';
}

/** The commit that a revision names, in the repository of a file; undefined where it names none. */
export async function commitOf(revision: string, file: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  return git(dirname(resolve(file)), args).then(
    (text) => text.trim(),
    () => undefined,
  );
}

/**
 * A file as it was committed.
 * @throws UsageError where there is no such revision, or the file is not in it
 */
export async function fileAt(revision: string, file: string): Promise<string> {
  const folder = dirname(resolve(file));
  try {
    await git(folder, ['rev-parse', '--show-toplevel']);
  } catch (error) {
    throw new UsageError(`${file} is in no git repository: ${reasonOf(error)}.`, { cause: error });
  }
  const commit = await commitOf(revision, file);
  if (commit === undefined) throw new UsageError(`${revision} is no revision of the repository of ${file}.`);
  try {
    return await git(folder, ['cat-file', 'blob', `${commit}:./${basename(file)}`]);
  } catch (error) {
    throw new UsageError(`${file} cannot be read at ${revision}: ${reasonOf(error)}.`, { cause: error });
  }
}
