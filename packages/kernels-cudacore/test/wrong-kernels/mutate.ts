import { readFile } from 'node:fs/promises';
import type { DefinedKernel } from '@ffma/core';
import { k03 } from '@ffma/kernels-cudacore';
import type { MutantPackage, Mutation as MutationOf } from '../../../../scripts/emulator/mutant-package.js';

/** A small change of a kernel, by default of k03. */
export type Mutation = Omit<MutationOf, 'of'> & Partial<Pick<MutationOf, 'of'>>;

/** A mutated kernel, with its source to look lines up in. */
export interface Mutant {
  readonly kernel: DefinedKernel;
  readonly source: string;
}

/** Adds the kernel that a mutation makes. @throws Error where it does not fit the source any more */
export async function addMutant(mutants: MutantPackage, mutation: Mutation): Promise<Mutant> {
  const kernel = await mutants.add({ of: k03 as unknown as DefinedKernel, ...mutation });
  return { kernel, source: await readFile(kernel.definition.source, 'utf8') };
}
