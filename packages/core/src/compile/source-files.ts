import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArgumentError, UnavailableError } from '../errors.js';
import { packageRootOf } from '../gemm/manifest.js';

/** Folder of the device headers: `#include <ffma/fma.cuh>` is relative to it. */
export const includeFolder = fileURLToPath(new URL('../../include', import.meta.url));

/**
 * Device code given as text, or the file that holds it. Text may include `<ffma/...>` only; its name is that of a file
 * without folders: letters, digits, `_`, `-` and `.`, such as `scale.cu`.
 */
export type KernelSource = URL | { readonly name: string; readonly text: string };

/** Everything that a compilation reads: contents by name. Names are the same on every machine. */
export interface SourceFiles {
  /** Name of the source itself, e.g. `kernels/course/k01-naive/kernel.cu`. */
  readonly main: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Names start at the package's folder; for a built package's copy of its sources, at `dist`. */
function nameRoot(source: URL): string {
  const root = packageRootOf(source);
  const built = join(root, 'dist');
  return fileURLToPath(source).startsWith(built + sep) ? built : root;
}

function toName(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined;
    throw error;
  });
}

const INCLUDE = /^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<(ffma\/[^>\n]+)>)/gm;

/** A header by its name as the compiler would look it up: beside the file that asks, then among the device headers. */
async function lookUp(
  root: string | undefined,
  from: string,
  quoted: string | undefined,
  angled: string | undefined,
) {
  const candidates: string[] = [];
  if (quoted !== undefined) candidates.push(posix.join(posix.dirname(from), quoted), posix.normalize(quoted));
  if (angled !== undefined) candidates.push(posix.normalize(angled));
  for (const name of candidates) {
    if (name.startsWith('../')) {
      throw new ArgumentError(`${from} includes "${quoted ?? angled}", which lies outside of its package.`, {
        remedy: 'Keep headers inside the package, or use those of @ffma/core.',
      });
    }
    const own = root === undefined ? undefined : await read(join(root, name));
    const text = own ?? (name.startsWith('ffma/') ? await read(join(includeFolder, name)) : undefined);
    if (text !== undefined) return { name, text };
  }
  return undefined;
}

/** A file name that stays in its folder and means nothing to a shell or as an option. */
const FILE_NAME = /^\w[\w.-]*$/;

/** Names that a compilation gives to files of its own. */
const TAKEN = ['entry.cu', 'out.ptx', 'cuda_runtime.h'];

/** @throws ArgumentError */
function checkTextName(name: string): void {
  if (typeof name === 'string' && FILE_NAME.test(name) && !TAKEN.includes(name)) return;
  throw new ArgumentError(
    `The name of a source given as text must match ${FILE_NAME} and be none of ${TAKEN.join(', ')}, ` +
      `because it becomes a file, but is ${JSON.stringify(name)}.`,
    { remedy: "Name it like 'scale.cu'." },
  );
}

/** Of a file in a package, relative to it: the compiler's drivers hand it to a shell. @throws ArgumentError */
function checkPath(path: string): void {
  if (/^(?!-)[\p{L}\p{N}_.,@+ /-]+$/u.test(path)) return;
  throw new ArgumentError(
    `The path of a source in its package must consist of letters, digits, spaces and _.,@+-, but is ${JSON.stringify(path)}.`,
    { remedy: 'Rename the file or its folder.' },
  );
}

/**
 * Reads a source and every header that it can reach, conditional ones included. A header that is not found is left
 * for the compiler to report. @throws UnavailableError where the source itself is missing
 * @throws ArgumentError for the name of a text that could lead out of the folder of the compilation
 */
export async function readSourceFiles(source: KernelSource): Promise<SourceFiles> {
  const root = source instanceof URL ? nameRoot(source) : undefined;
  const main = source instanceof URL ? toName(root as string, fileURLToPath(source)) : source.name;
  if (source instanceof URL) checkPath(main);
  else checkTextName(main);
  const text = source instanceof URL ? await read(fileURLToPath(source)) : source.text;
  if (text === undefined) {
    throw new UnavailableError(`There is no kernel source at ${fileURLToPath(source as URL)}.`, {
      remedy: 'A package ships its sources beside its declarations; build it again with ffma-kernelc build.',
    });
  }
  const files = new Map([[main, text]]);
  const queue = [main];
  for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
    for (const [, quoted, angled] of (files.get(from) as string).matchAll(INCLUDE)) {
      const found = await lookUp(root, from, quoted, angled);
      if (found === undefined || files.has(found.name)) continue;
      files.set(found.name, found.text);
      queue.push(found.name);
    }
  }
  return { main, files };
}

/** Paths of a source's own headers, without the source: what a package must ship with it. */
export async function ownHeaders(source: URL): Promise<string[]> {
  const root = nameRoot(source);
  const { main, files } = await readSourceFiles(source);
  const names = [...files.keys()].filter((name) => name !== main);
  const own = await Promise.all(
    names.map(async (name) => ((await read(join(root, name))) === undefined ? [] : [name])),
  );
  return own.flat().map((name) => join(root, name));
}

/** Hex digest of a source and every header that it can reach: another one, another kernel. */
export async function sourceDigest(source: KernelSource): Promise<string> {
  const { main, files } = await readSourceFiles(source);
  const sorted = [...files].sort(([x], [y]) => (x < y ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([main, sorted]))
    .digest('hex');
}
