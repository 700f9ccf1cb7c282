import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { artefactFolder, type KernelManifest, type ManifestArtefact } from '../gemm/manifest.js';

/** Subfolders of a package's artefacts, by format; nothing else lies in them. */
const formats = ['ptx', 'cubin'] as const;

/** Path of an artefact, relative to the manifest. */
export function artefactFile({ id, format, arch }: Pick<ManifestArtefact, 'id' | 'format' | 'arch'>): string {
  return posix.join(format, arch, `${id}.${format}`);
}

async function writeWhole(path: string, contents: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

async function filesUnder(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Writes artefacts, then the manifest that lists them, then removes those that it does not list. Each file appears
 * whole, and a reader in between sees digests that fit, or an error that says to build again.
 */
export async function writeArtefacts(
  packageRoot: string,
  manifest: KernelManifest,
  bytesOf: (artefact: ManifestArtefact) => Uint8Array,
): Promise<void> {
  const folder = artefactFolder(packageRoot);
  for (const artefact of manifest.artefacts) await writeWhole(join(folder, artefact.file), bytesOf(artefact));
  await writeWhole(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const listed = new Set(manifest.artefacts.map(({ file }) => join(folder, file.split('/').join(sep))));
  for (const format of formats) {
    for (const path of await filesUnder(join(folder, format))) {
      // A temporary file may belong to another build that runs now.
      if (!listed.has(path) && !path.endsWith('.tmp')) await rm(path, { force: true });
    }
  }
}

/** Removes a package's artefacts and manifest. */
export async function removeArtefacts(packageRoot: string): Promise<void> {
  const folder = artefactFolder(packageRoot);
  for (const name of ['manifest.json', ...formats])
    await rm(join(folder, name), { recursive: true, force: true });
}
