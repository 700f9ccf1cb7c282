import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ArgumentError } from '@ffma/core';
import { sentenceOf } from '../error-sentence.js';

/** The fields of a `package.json` that discovery reads. */
export interface PackageJson {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** Makes it a kernel package: `kernels` is the module, relative to the folder, that exports `kernels`. */
  readonly ffma?: { readonly kernels?: string };
}

/** @throws ArgumentError naming the file, where it is missing or is no JSON object */
export function readPackageJson(folder: string): PackageJson {
  const path = join(folder, 'package.json');
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ArgumentError(`${path} cannot be read: ${sentenceOf(error)}.`, { cause: error });
  }
  if (typeof value !== 'object' || value === null) {
    throw new ArgumentError(`${path} must hold a JSON object, but holds ${JSON.stringify(value)}.`);
  }
  return value as PackageJson;
}

/** The nearest folder, from `start` upwards, that has a `package.json`. */
export function nearestPackageFolder(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * The folder of an installed package, as Node resolves it from `from`. The folders are walked by hand because a
 * package need not export its `package.json`; the resolver is asked last, for installs without `node_modules`.
 */
export function installedPackageFolder(name: string, from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (dirname(folder) === folder) break;
  }
  try {
    return dirname(createRequire(join(from, 'package.json')).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
