import { readFile } from 'node:fs/promises';
import { type GemmShape, UnsupportedError } from '@ffma/core';
import type { Discovery } from '../discover/kernel-package.js';
import { baseOf, type SelectedKernel } from '../discover/select.js';
import { sentenceOf } from '../error-sentence.js';
import { readPtx } from './inspect-kernel.js';
import { type DiffLine, diffLines } from './line-diff.js';
import { type MixChange, mixChanges, ptxMix } from './ptx-mix.js';

/** How a kernel differs from the one that it is based on. */
export interface KernelDiff {
  readonly id: string;
  readonly base: { readonly id: string; readonly package: string };
  /** Of kernel.cu. */
  readonly source: readonly DiffLine[];
  /** Instructions of the PTX as they stand, those that differ most first; undefined where a PTX is missing. */
  readonly ptx: readonly MixChange[] | undefined;
  /** Why there is no PTX to compare, as a sentence. */
  readonly noPtx?: string;
}

async function sourceOf({ kernel }: Pick<SelectedKernel, 'kernel'>): Promise<string> {
  const source = kernel.definition?.source;
  if (!(source instanceof URL)) throw new UnsupportedError(`${kernel.name} brings no source to compare.`);
  return (await readFile(source, 'utf8')).replaceAll('\r\n', '\n');
}

/**
 * Compares a kernel's source, and the instructions of its PTX, with those of the kernel that it is based on.
 * @throws UnsupportedError where it is based on nothing, or on a kernel that is not installed
 */
export async function diffKernel(
  discovery: Discovery,
  selected: SelectedKernel,
  shape?: GemmShape,
): Promise<KernelDiff> {
  const { kernel, gemm } = selected;
  const basedOn = kernel.definition?.basedOn;
  if (basedOn === undefined) throw new UnsupportedError(`${kernel.name} is based on no other kernel.`);
  const base = baseOf(discovery, kernel);
  if (base === undefined) {
    throw new UnsupportedError(`${kernel.name} is based on ${basedOn}, which no package here has.`, {
      remedy: `Add the package of ${basedOn} to the dependencies.`,
    });
  }
  const found = { kernel: base, gemm: base.gemm };
  const source = diffLines(await sourceOf(found), await sourceOf(selected));
  const common = { id: gemm.id, base: { id: base.gemm.id, package: base.package.name }, source };
  try {
    const [theirs, own] = await Promise.all([
      readPtx(found, undefined, shape),
      readPtx(selected, undefined, shape),
    ]);
    return { ...common, ptx: mixChanges(ptxMix(theirs), ptxMix(own)) };
  } catch (error) {
    return { ...common, ptx: undefined, noPtx: sentenceOf(error) };
  }
}
