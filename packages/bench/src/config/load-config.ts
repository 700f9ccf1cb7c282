import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sentenceOf } from '../error-sentence.js';
import { UsageError } from '../usage-error.js';
import type { ReadConfig } from './schema.js';

/** Names under which a configuration is found, in any folder. */
export const configNames = ['ts', 'mts', 'js', 'mjs'].map((ending) => `ffma.config.${ending}`);

/** A configuration, and where it stands. */
export interface LoadedConfig extends ReadConfig {
  /** Absolute; undefined where there is none. */
  readonly file: string | undefined;
}

const nothing: LoadedConfig = { file: undefined, bench: {}, suites: {} };

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

/** How a path is shown: as seen from the folder, where it lies in it. */
export function shownPath(file: string, folder: string): string {
  const path = relative(folder, file);
  return path.startsWith('..') ? file : path;
}

/**
 * The configuration of a folder.
 * @param named a path, relative to the folder; undefined for the one that lies there
 * @returns undefined where nothing was named and none lies there
 * @throws UsageError where the named one is missing, or several lie there
 */
export function findConfig(folder: string, named?: string): string | undefined {
  if (named !== undefined) {
    const file = resolve(folder, named);
    if (isFile(file)) return file;
    throw new UsageError(`There is no configuration ${named}.`, {
      remedy: `It is looked for as ${file}.`,
    });
  }
  const found = configNames.filter((name) => isFile(join(folder, name)));
  if (found.length > 1)
    throw new UsageError(`There are several configurations here: ${found.join(', ')}.`, {
      remedy: 'Keep one, or name one with --config.',
    });
  return found[0] === undefined ? undefined : join(folder, found[0]);
}

/** This package itself, for a configuration whose folder does not have it installed: `npx` keeps it elsewhere. */
function aliases(file: string): Record<string, string> {
  try {
    createRequire(file).resolve('@ffma/bench/package.json');
    return {};
  } catch {
    return { '@ffma/bench': fileURLToPath(import.meta.resolve('../index.js')) };
  }
}

async function exported(file: string, shown: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  try {
    // Node's own import first: it is quicker, and what it cannot read is transpiled.
    const jiti = createJiti(file, {
      tryNative: true,
      interopDefault: false,
      moduleCache: false,
      alias: aliases(file),
    });
    return (await jiti.import<{ readonly default?: unknown }>(file)).default;
  } catch (error) {
    throw new UsageError(`${shown} cannot be loaded: ${sentenceOf(error).trimEnd()}`, { cause: error });
  }
}

/** As many fields are named. */
const MOST_FAULTS = 3;

/**
 * Reads the configuration of a folder.
 * @param named a path, relative to the folder; default: the one that lies there, if one does
 * @throws UsageError naming the file, and the field that is wrong
 */
export async function loadConfig(folder: string, named?: string): Promise<LoadedConfig> {
  const file = findConfig(folder, named);
  if (file === undefined) return nothing;
  const shown = shownPath(file, folder);
  const value = await exported(file, shown);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${shown} exports no configuration as its default.`, {
      remedy: `Write in ${basename(file)}: export default defineConfig({ … }).`,
    });
  }
  const { configFields, configSchema } = await import('./schema.js');
  const { faultsOf } = await import('./faults.js');
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return { ...parsed.data, file };
  const faults = faultsOf(parsed.error, value, configFields);
  const more = faults.length - MOST_FAULTS;
  const first = faults.slice(0, MOST_FAULTS).join(' ');
  throw new UsageError(`${shown}: ${first}${more > 0 ? ` And ${more} more.` : ''}`);
}
