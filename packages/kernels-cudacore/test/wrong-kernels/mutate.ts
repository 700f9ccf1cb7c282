import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DefinedKernel, defineKernel, type KernelDefinition } from '@ffma/core';
import { k03 } from '@ffma/kernels-cudacore';

/** A text that stands once in a source, and what takes its place. */
export type Edit = readonly [find: string, put: string];

/** A small change of a kernel. */
export interface Mutation {
  /** Default k03. */
  readonly of?: DefinedKernel;
  /** Names its folder and, with underscores, its id: `last-k-dropped`. */
  readonly slug: string;
  readonly edits: readonly Edit[];
  /** What its declaration says differently. */
  readonly declares?: Partial<Pick<KernelDefinition, 'exactness' | 'needs'>>;
}

/** A mutated kernel, with its source to look lines up in. */
export interface Mutant {
  readonly kernel: DefinedKernel;
  readonly source: string;
}

const anyK03 = k03 as unknown as DefinedKernel;

async function mutated({ slug, edits, of = anyK03 }: Mutation): Promise<string> {
  let text = await readFile(of.definition.source, 'utf8');
  for (const [find, put] of edits) {
    const count = text.split(find).length - 1;
    if (count !== 1)
      throw new Error(`${slug} edits a text that must stand once, not ${count} times:\n${find}`);
    text = text.replace(find, () => put);
  }
  return text;
}

/** A temporary package of mutated kernels, which are loaded like those of any other. */
export class MutantPackage implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<MutantPackage> {
    const folder = await mkdtemp(join(tmpdir(), 'ffma-mutants-'));
    await writeFile(join(folder, 'package.json'), '{ "name": "mutants", "version": "0.0.0" }\n');
    return new MutantPackage(folder);
  }

  /** Adds the kernel that a mutation makes. @throws Error where it does not fit the source any more */
  async add(mutation: Mutation): Promise<Mutant> {
    const { slug, declares, of = anyK03 } = mutation;
    const source = await mutated(mutation);
    const path = join(this.#folder, slug, 'kernel.cu');
    await mkdir(join(this.#folder, slug));
    await writeFile(path, source);
    const name = slug.replaceAll('-', '_');
    const kernel = defineKernel({
      ...of.definition,
      ...declares,
      variants: {},
      ships: [],
      name,
      slug,
      source: pathToFileURL(path),
      ids: { default: name },
    });
    return { kernel, source };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
