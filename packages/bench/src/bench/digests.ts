import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { archNumber, type GemmArtefact, type ManifestArtefact } from '@ffma/core';
import type { SelectedKernel } from '../discover/select.js';
import type { ResultRow } from '../result/schema.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A digest of the source as it stands there now; undefined where a package ships none. */
function sourceDigest({ kernel: { definition } }: SelectedKernel): string | undefined {
  try {
    return definition?.source === undefined ? undefined : sha256(readFileSync(definition.source));
  } catch {
    return undefined;
  }
}

/** What the package has of a variant in a format, for the architecture that is nearest to the one that ran. */
function built({ kernel, gemm }: SelectedKernel, format: ManifestArtefact['format'], arch: string) {
  const distance = (one: ManifestArtefact) => Math.abs(archNumber(one.arch) - archNumber(arch));
  const own = (kernel.package.manifest?.artefacts ?? []).filter(
    (one) => one.id === gemm.id && one.format === format && archNumber(one.arch) <= archNumber(arch),
  );
  return own.sort((x, y) => distance(x) - distance(y))[0]?.sha256;
}

/** Digests of source, PTX and cubin of what ran; nothing for a library, or where nothing was loaded. */
export function digestsOf(
  selected: SelectedKernel,
  artefact: GemmArtefact | undefined,
): Pick<ResultRow, 'digests'> {
  if (artefact === undefined || artefact.ranAs === 'library') return {};
  const { sha256: ran, ranAs, arch } = artefact;
  const source = sourceDigest(selected);
  const ptx = ranAs === 'cubin' ? built(selected, 'ptx', arch) : ran;
  const cubin = ranAs === 'cubin' ? ran : undefined;
  return {
    digests: {
      ...(source === undefined ? {} : { source }),
      ...(ptx === undefined ? {} : { ptx }),
      ...(cubin === undefined ? {} : { cubin }),
    },
  };
}
