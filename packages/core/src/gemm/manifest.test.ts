import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Scratch } from '../../test/support/fake-tools.js';
import { artefactFolder, packageRootOf, readManifest } from './manifest.js';

describe('packageRootOf', () => {
  it('is the nearest folder with a package.json', () => {
    using scratch = new Scratch();
    scratch.file('package.json', '{}');
    scratch.file('kernels/inner/package.json', '{}');
    const at = (name: string) => packageRootOf(pathToFileURL(join(scratch.path, name)));
    expect(at('dist/kernels/k/kernel.cu')).toBe(scratch.path);
    expect(at('kernels/inner/k/kernel.cu')).toBe(join(scratch.path, 'kernels/inner'));
  });
});

describe('readManifest', () => {
  it('is undefined before a build, then what was written', () => {
    using scratch = new Scratch();
    expect(readManifest(scratch.path)).toBeUndefined();
    const manifest = { schemaVersion: 1, package: 'x', version: '1.0.0', artefacts: [] };
    scratch.file('dist/kernels/manifest.json', JSON.stringify(manifest));
    expect(artefactFolder(scratch.path)).toBe(join(scratch.path, 'dist/kernels'));
    expect(readManifest(scratch.path)).toEqual(manifest);
  });
});
