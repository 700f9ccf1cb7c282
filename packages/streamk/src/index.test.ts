import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kernels } from './index.js';

/** Folder of a kernel: its name and slug, or its name where that says it all. */
const folderOf = ({ name, definition: { slug } }: (typeof kernels)[number]) =>
  name === slug ? name : `${name}-${slug}`;

describe('the registry', () => {
  it('names every folder that holds a kernel once, in order', () => {
    const folders = readdirSync(new URL('../kernels', import.meta.url)).filter((name) =>
      existsSync(new URL(`../kernels/${name}/kernel.cu`, import.meta.url)),
    );
    expect(kernels.map(folderOf)).toEqual(folders.sort());
  });

  it('puts every kernel after its base, where that is one of this package', () => {
    const names = kernels.map(({ name }) => name);
    const bases = kernels.map(({ definition }) => names.indexOf(definition.basedOn ?? ''));
    expect(bases.map((base, i) => base < i)).toEqual(kernels.map(() => true));
  });
});

describe.each(kernels.map((kernel) => ({ id: kernel.id, kernel })))('$id', ({ kernel }) => {
  const { definition } = kernel;

  it('has its source and notes of four parts beside its declaration', () => {
    expect(existsSync(definition.source)).toBe(true);
    const notes = readFileSync(new URL('./NOTES.md', definition.source), 'utf8');
    expect(notes.match(/^## .*/gm)?.slice(0, 4)).toEqual([
      '## Change',
      '## Why',
      '## What it costs',
      '## Try',
    ]);
  });

  it('says what changed and what it teaches in a sentence each', () => {
    expect(definition.change).toMatch(/^[A-Z].*\.$/);
    expect(definition.lesson).toMatch(/^[A-Z].*\.$/);
  });

  it('gives every variant an id of its own, and the word that ptxas looks for to those that are tagged', () => {
    const variants = [...kernel.variants.values()];
    expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length);
    for (const { params, symbols } of variants) {
      expect(symbols.main?.includes('cutlass')).toBe(params.TAGGED);
    }
  });
});
