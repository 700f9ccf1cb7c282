import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { SearchContext } from './search-context.js';

/** Folders whose names match, newest version first; none where the parent cannot be read. */
export function versionedFolders(parent: string, pattern: RegExp): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => pattern.test(name))
      .sort((x, y) => y.localeCompare(x, 'en', { numeric: true }))
      .map((name) => join(parent, name));
  } catch {
    return [];
  }
}

/** Package folders of an installation of Python: `lib/python3.12/site-packages`, and Debian's. */
function sitesOf(prefix: string): string[] {
  return versionedFolders(join(prefix, 'lib'), /^python3(\.\d+)?$/).flatMap((version) => [
    join(version, 'site-packages'),
    join(version, 'dist-packages'),
  ]);
}

/** Prefixes of the python3 programs on the PATH: a virtual environment's own, then that of the Python it links to. */
function prefixesOnPath({ env }: SearchContext): string[] {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'python3'))
    .filter((program) => existsSync(program))
    .flatMap((program) => [dirname(dirname(program)), dirname(dirname(realpathSync(program)))]);
}

/**
 * Folders of Python packages, found without running Python: PYTHONPATH, the active environment's, the user's own, those
 * of every python3 on the PATH, then the system's.
 */
export function pythonSites(context: SearchContext): string[] {
  const { env, home, at } = context;
  const own = [env.VIRTUAL_ENV, env.CONDA_PREFIX, join(home, '.local')];
  const prefixes = [...own, ...prefixesOnPath(context), at('/usr/local'), at('/usr')];
  const named = (env.PYTHONPATH ?? '').split(delimiter);
  return [...named, ...prefixes.flatMap((prefix) => (prefix ? sitesOf(prefix) : []))].filter(Boolean);
}
