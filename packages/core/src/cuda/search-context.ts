import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../compile/find-executable.js';

/** What a search for libraries looks at; replaced in tests. */
export interface SearchContext {
  readonly env: Environment;
  readonly home: string;
  /** A path of the system, e.g. `/usr/local`. */
  at(path: string): string;
}

/** @param root where the system's own folders are looked for */
export function searchContext(env: Environment = process.env, root = '/', home = homedir()): SearchContext {
  return { env, home, at: (path) => join(root, path) };
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
