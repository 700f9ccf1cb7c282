import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type DefinedKernel, defineKernel, type KernelDefinition, type Params } from '@ffma/core';

/** A text that stands once in the sources of a kernel, its own and the shared parts, and what takes its place. */
export type Edit = readonly [find: string, put: string];

/** A small change of a kernel. */
export interface Mutation {
  readonly of: DefinedKernel;
  /** Names its folder and, with underscores, its id. */
  readonly slug: string;
  readonly edits: readonly Edit[];
  /** Parameters that differ from the defaults of the kernel. */
  readonly params?: Params;
  /** What its declaration says differently. */
  readonly declares?: Partial<Pick<KernelDefinition, 'exactness' | 'needs'>>;
}

/** Makes a change in the one source that has the text. @throws Error where not exactly one has it, once */
async function edit(files: readonly string[], [find, put]: Edit): Promise<void> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const counts = texts.map((text) => text.split(find).length - 1);
  const at = counts.indexOf(1);
  if (counts.reduce((sum, count) => sum + count, 0) !== 1 || at < 0) {
    throw new Error(`A text must stand once, not ${counts.join(' + ')} times:\n${find}`);
  }
  await writeFile(
    files[at] as string,
    (texts[at] as string).replace(find, () => put),
  );
}

/** A temporary package of mutated kernels, each with the parts that it includes, loaded like those of any other. */
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

  /** Adds the kernel that a mutation makes. @throws Error where it does not fit the sources any more */
  async add({ of, slug, edits, params, declares }: Mutation): Promise<DefinedKernel> {
    const folder = join(this.#folder, slug);
    const shared = new URL('../parts', of.definition.source);
    const parts = existsSync(shared) ? join(folder, 'parts') : undefined;
    const source = parts === undefined ? join(folder, 'kernel.cu') : join(folder, 'kernel', 'kernel.cu');
    await mkdir(dirname(source), { recursive: true });
    await cp(fileURLToPath(of.definition.source), source);
    const files = [source];
    if (parts !== undefined) {
      await cp(fileURLToPath(shared), parts, { recursive: true });
      const headers = (await readdir(parts)).filter((name) => name.endsWith('.cuh'));
      files.push(...headers.map((name) => join(parts, name)));
    }
    for (const each of edits) await edit(files, each);
    const name = slug.replaceAll('-', '_');
    return defineKernel({
      ...of.definition,
      ...declares,
      name,
      slug,
      params: { ...of.definition.params, ...params },
      source: pathToFileURL(source),
      variants: {},
      ships: [],
      ids: { default: name },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
