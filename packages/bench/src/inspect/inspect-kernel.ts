import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archNumber, artefactFolder, type Device, type GemmShape, UnsupportedError } from '@ffma/core';
import { compileVariant, variantEntryText } from '@ffma/core/compile';
import type { SelectedKernel } from '../discover/select.js';
import { asVariant } from './as-variant.js';
import type { Inspection } from './inspection.js';
import { planOf } from './plan-of.js';

export interface InspectOptions {
  /** With a device: shows the plan for this problem on it. */
  readonly shape?: GemmShape;
  readonly device?: Pick<Device, 'name' | 'arch' | 'limits'>;
}

function artefactsOf({ gemm, kernel }: SelectedKernel) {
  return (kernel.package.manifest?.artefacts ?? []).filter((artefact) => artefact.id === gemm.id);
}

/** Says what is known about a variant from its declaration and its package's manifest. Runs nothing. */
export function inspectKernel(selected: SelectedKernel, { shape, device }: InspectOptions = {}): Inspection {
  const { gemm, kernel } = selected;
  const variant = asVariant(gemm);
  const artefacts = artefactsOf(selected);
  return {
    id: gemm.id,
    kernel: kernel.name,
    package: { name: kernel.package.name, version: kernel.package.version },
    change: gemm.summary,
    lesson: kernel.definition?.lesson,
    basedOn: kernel.definition?.basedOn,
    exactness: gemm.exactness,
    specialised: gemm.specialised === true,
    open: gemm.open === true,
    variants: [...kernel.variants].map(([name, { id }]) => ({ name, id })),
    params: variant?.params ?? {},
    derived: variant?.derived,
    rules: (kernel.definition?.rules ?? []).map(({ sentence }) => sentence),
    needs: variant?.needs ?? {},
    claims: (kernel.definition?.claims ?? []).map(({ sentence }) => sentence),
    symbols: variant?.symbols ?? {},
    artefacts,
    plan: variant && shape && device ? planOf(variant, shape, device, artefacts) : undefined,
  };
}

/**
 * PTX that the package ships for a variant: for `arch` (e.g. 80), else the newest. One that has sizes compiled in is
 * compiled for those of `shape`. @throws UnsupportedError listing those built
 */
export async function readPtx(selected: SelectedKernel, arch?: number, shape?: GemmShape): Promise<string> {
  const variant = asVariant(selected.gemm);
  if (variant?.open === true && shape !== undefined) {
    const target = { arch: `compute_${arch ?? 90}`, format: 'ptx' } as const;
    return (await compileVariant(variant.forShape(shape), target)).object.text;
  }
  const built = artefactsOf(selected)
    .filter(({ format }) => format === 'ptx')
    .sort((x, y) => archNumber(y.arch) - archNumber(x.arch));
  const chosen = arch === undefined ? built[0] : built.find((artefact) => archNumber(artefact.arch) === arch);
  if (chosen === undefined) {
    const wanted = arch === undefined ? '' : ` for compute_${arch}`;
    const list = built.map((artefact) => artefact.arch).join(', ') || 'nothing';
    throw new UnsupportedError(`No PTX of ${selected.gemm.id} was built${wanted}; built: ${list}.`, {
      remedy: 'Build it with ffma-kernelc build in its package.',
    });
  }
  return readFile(join(artefactFolder(selected.kernel.package.folder), chosen.file), 'utf8');
}

/**
 * The CUDA entry that the build generates for a variant, with the sizes of `shape` where it has them compiled in.
 * @throws UnsupportedError for a library
 */
export async function readEntry({ gemm }: SelectedKernel, shape?: GemmShape): Promise<string> {
  const variant = asVariant(gemm);
  if (variant === undefined)
    throw new UnsupportedError(`${gemm.id} is a library, so it has no generated entry.`);
  return variantEntryText(variant.open && shape !== undefined ? variant.forShape(shape) : variant);
}
