import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DefinedKernel } from '@ffma/core';
import { describe, expect, it } from 'vitest';
import { kernelPackages } from './workspace.js';

const headings = ['Change', 'Why', 'What it costs', 'Try'];

/** What folder a kernel is in: its name and slug, or its name where that says it all. */
const folderOf = ({ name, definition: { slug } }: DefinedKernel) =>
  name === slug ? name : `${name}-${slug}`;

/** The title of its notes: the same, for people. */
const titleOf = ({ name, definition: { slug } }: DefinedKernel) =>
  name === slug ? name : `${name} · ${slug.replaceAll('-', ' ')}`;

/** Folders of a package that hold a kernel: those with a `.cu` file. */
function kernelFolders(folder: string): string[] {
  const files = readdirSync(join(folder, 'kernels'), { recursive: true, encoding: 'utf8' });
  return [...new Set(files.filter((file) => file.endsWith('.cu')).map(dirname))];
}

it('there are kernel packages', () => {
  expect(kernelPackages.length).toBeGreaterThan(0);
});

describe.each(kernelPackages)('kernels of $name', async ({ folder, json }) => {
  const module = join(folder, json.ffma?.kernels ?? '');
  const { kernels } = (await import(pathToFileURL(module).href)) as { kernels: readonly DefinedKernel[] };
  const folders = kernelFolders(folder);

  it('are all in the registry, each in a folder called after it', () => {
    expect(folders.map((path) => basename(path)).sort()).toEqual(kernels.map(folderOf).sort());
  });

  it('come after their bases', () => {
    const names = kernels.map(({ name }) => name);
    const bases = kernels.map(({ definition }) => names.indexOf(definition.basedOn ?? ''));
    expect(bases.map((base, i) => base < i)).toEqual(kernels.map(() => true));
  });

  it('have their source where the declaration says', () => {
    for (const { definition } of kernels) expect(statSync(definition.source).isFile()).toBe(true);
  });

  describe.each(folders)('%s', (path) => {
    const file = (name: string) => join(folder, 'kernels', path, name);

    it('holds source, declaration and notes', () => {
      const missing = ['kernel.cu', 'kernel.ts', 'NOTES.md'].filter((name) => !existsSync(file(name)));
      expect(missing).toEqual([]);
    });

    it('has notes under its own title, with the usual sections in order', () => {
      const text = readFileSync(file('NOTES.md'), 'utf8');
      const kernel = kernels.find((each) => folderOf(each) === basename(path));
      expect(text.split('\n')[0]).toBe(`# ${kernel && titleOf(kernel)}`);
      expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading).slice(0, 4)).toEqual(headings);
    });

    it('is in the table of the README', () => {
      const readme = readFileSync(join(folder, 'README.md'), 'utf8');
      expect(readme).toContain(`](kernels/${path}/NOTES.md)`);
    });
  });
});
