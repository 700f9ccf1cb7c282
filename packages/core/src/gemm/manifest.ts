import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IntegrityError, UnavailableError } from '../errors.js';
import type { Params } from './kernel-definition.js';
import type { CountedResources } from './resources.js';

/** One built file: a variant's PTX or cubin for one architecture. */
export interface ManifestArtefact {
  /** Variant id. */
  readonly id: string;
  /** Kernel name. */
  readonly kernel: string;
  readonly params: Params;
  readonly format: 'ptx' | 'cubin';
  /** `compute_80`, `compute_90` for PTX; `sm_90` for a cubin. */
  readonly arch: string;
  /** Path relative to the manifest. */
  readonly file: string;
  readonly sha256: string;
  /** Compiler and version, e.g. `nvcc 13.0.88`. */
  readonly compiler: string;
  /** Device symbol by entry. */
  readonly symbols: Readonly<Record<string, string>>;
  /** What each entry uses, as ptxas counted it, by entry; absent where no ptxas ran. */
  readonly resources?: CountedResources;
  /** Whether the same compiler makes the same bytes of the same sources again; absent from older builds. */
  readonly reproducible?: boolean;
}

/** What an older build wrote instead of `resources`: the most that any entry uses. */
interface OldFigures {
  readonly registers?: number;
  readonly sharedBytes?: number;
  readonly spillBytes?: number;
}

/** `dist/kernels/manifest.json` of a kernel package. */
export interface KernelManifest {
  readonly schemaVersion: 1;
  readonly package: string;
  readonly version: string;
  readonly artefacts: readonly ManifestArtefact[];
}

/** Folder of the nearest `package.json` above a file. */
export function packageRootOf(file: URL): string {
  let folder = dirname(fileURLToPath(file));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new UnavailableError(`No package.json stands above ${fileURLToPath(file)}.`);
    folder = parent;
  }
  return folder;
}

/** Where `ffma-kernelc build` puts a package's artefacts. */
export function artefactFolder(packageRoot: string): string {
  return join(packageRoot, 'dist', 'kernels');
}

const artefactStrings = ['id', 'kernel', 'format', 'arch', 'file', 'sha256', 'compiler'];

/** The rule that a manifest breaks; undefined if it is one. */
function manifestFault(manifest: unknown): string | undefined {
  const { schemaVersion, artefacts } = (manifest ?? {}) as { schemaVersion?: unknown; artefacts?: unknown };
  if (schemaVersion !== 1) {
    return `its schemaVersion must be 1, the only one this version reads, but is ${JSON.stringify(schemaVersion)}`;
  }
  if (!Array.isArray(artefacts)) return 'its artefacts must be an array';
  for (const [i, artefact] of artefacts.entries()) {
    const missing = artefactStrings.find((name) => typeof artefact?.[name] !== 'string');
    if (missing !== undefined)
      return `artefacts[${i}].${missing} must be a string, but is ${typeof artefact?.[missing]}`;
    if (!['ptx', 'cubin'].includes(artefact.format))
      return `artefacts[${i}].format must be ptx or cubin, but is ${artefact.format}`;
  }
  return undefined;
}

/** One figure for all entries is that of the one with the main loop; nobody counted the others. */
function migrated({
  registers,
  sharedBytes = 0,
  spillBytes = 0,
  ...artefact
}: ManifestArtefact & OldFigures) {
  if (registers === undefined || artefact.resources !== undefined) return artefact;
  return { ...artefact, resources: { main: { registers, sharedBytes, spillBytes } } };
}

/** Reads a package's manifest; undefined where nothing was built. @throws IntegrityError where it is none */
export function readManifest(packageRoot: string): KernelManifest | undefined {
  const path = join(artefactFolder(packageRoot), 'manifest.json');
  if (!existsSync(path)) return undefined;
  const remedy = 'Reinstall the package, or build it again with ffma-kernelc build.';
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new IntegrityError(`${path} cannot be read as JSON: ${(cause as Error).message}.`, {
      remedy,
      cause,
    });
  }
  const fault = manifestFault(manifest);
  if (fault !== undefined) throw new IntegrityError(`${path} is no manifest: ${fault}.`, { remedy });
  const read = manifest as KernelManifest;
  return { ...read, artefacts: read.artefacts.map(migrated) };
}
