import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function withExtensions(path: string, env: Environment): string[] {
  if (process.platform !== 'win32') return [path];
  return [path, ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';').map((extension) => path + extension)];
}

/** Path of a program: a path as it is, a bare name by way of PATH; undefined where there is none. */
export function findExecutable(name: string, env: Environment): string | undefined {
  const candidates =
    isAbsolute(name) || name.includes('/')
      ? [name]
      : (env.PATH ?? '')
          .split(delimiter)
          .filter((folder) => folder !== '')
          .map((folder) => join(folder, name));
  return candidates.flatMap((path) => withExtensions(path, env)).find(isExecutable);
}
