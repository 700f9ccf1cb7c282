import { type KernelManifest, readManifest, UnavailableError } from '@ffma/core';

const strings = ['id', 'kernel', 'format', 'arch', 'file', 'sha256'] as const;

/** What is wrong with a manifest that another version, or another tool, wrote. */
function faultOf(manifest: unknown): string | undefined {
  if (typeof manifest !== 'object' || manifest === null) return `it must be an object, but is ${manifest}`;
  const { schemaVersion, artefacts } = manifest as Partial<Record<keyof KernelManifest, unknown>>;
  if (schemaVersion !== 1) return `its schema version must be 1, but is ${schemaVersion}`;
  if (!Array.isArray(artefacts)) return `its artefacts must be an array, but are ${typeof artefacts}`;
  for (const [i, artefact] of artefacts.entries()) {
    for (const name of strings) {
      const type = typeof artefact?.[name];
      if (type !== 'string') return `${name} of its artefacts[${i}] must be a string, but is ${type}`;
    }
  }
  return undefined;
}

/**
 * The manifest of a kernel package, undefined where nothing was built. It is checked before anything is listed from
 * it, so that a bad one costs only its own package.
 * @throws UnavailableError naming the field; what core says of a file that it cannot read
 */
export function checkedManifest(folder: string): KernelManifest | undefined {
  const manifest = readManifest(folder);
  if (manifest === undefined) return undefined;
  const fault = faultOf(manifest);
  if (fault === undefined) return manifest;
  throw new UnavailableError(`The manifest of its built kernels cannot be used: ${fault}.`, {
    remedy: 'Build the package again with the ffma-kernelc that is installed.',
  });
}
