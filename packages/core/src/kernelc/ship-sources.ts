import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ownHeaders } from '../compile/source-files.js';
import type { DefinedKernel } from '../gemm/define-kernel.js';
import { tunedPath } from '../gemm/tuned.js';

/** Path of the file that a built package's copy was made from; the path itself where it is no copy. */
function originalOf(root: string, path: string): string {
  const built = join(root, 'dist') + sep;
  const original = path.startsWith(built) ? join(root, path.slice(built.length)) : path;
  return existsSync(original) ? original : path;
}

/**
 * Copies each kernel's source, its own headers and its tuned variants beside the compiled declarations, so that `source` resolves from
 * there too, and removes copies whose originals are gone. Returns what the package now holds, as absolute paths.
 */
export async function shipSources(root: string, kernels: readonly DefinedKernel[]): Promise<string[]> {
  const sources = kernels.map((kernel) => originalOf(root, fileURLToPath(kernel.definition.source)));
  const headers = await Promise.all(sources.map((source) => ownHeaders(pathToFileURL(source))));
  const tuned = sources.map((source) => tunedPath(pathToFileURL(source))).filter((path) => existsSync(path));
  const shipped = [...new Set([...sources, ...headers.flat(), ...tuned])].map((from) => ({
    from,
    to: from.startsWith(join(root, 'dist') + sep) ? from : join(root, 'dist', relative(root, from)),
  }));
  for (const { from, to } of shipped) {
    if (from === to) continue;
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
  }
  const kept = new Set(shipped.map(({ to }) => to));
  const folder = join(root, 'dist', 'kernels');
  const present = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  for (const name of present) {
    const path = join(folder, name);
    if (/\.cuh?$|(^|[\\/])tuned\.json$/.test(name) && !kept.has(path)) await rm(path, { force: true });
  }
  return [...kept];
}
