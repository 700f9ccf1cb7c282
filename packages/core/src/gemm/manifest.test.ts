import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Scratch } from '../../test/support/fake-tools.js';
import { IntegrityError } from '../errors.js';
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

  it('takes the one figure of an older build for that of the entry main, as nobody counted the others', () => {
    using scratch = new Scratch();
    const old = { ...artefact, symbols: { main: 'k', zero: 'k_zero' } };
    const artefacts = [old, { ...old, registers: 96, sharedBytes: 512, spillBytes: 4 }];
    scratch.file('dist/kernels/manifest.json', JSON.stringify({ schemaVersion: 1, artefacts }));
    expect(readManifest(scratch.path)?.artefacts).toEqual([
      old,
      { ...old, resources: { main: { registers: 96, sharedBytes: 512, spillBytes: 4 } } },
    ]);
  });

  const artefact = {
    id: 'k',
    kernel: 'k',
    params: {},
    format: 'ptx',
    arch: 'compute_80',
    file: 'k.ptx',
    sha256: '0',
    compiler: 'nvcc',
    symbols: {},
  };
  it.each([
    ['{"schemaVersion":1,', /cannot be read as JSON/],
    ['null', /schemaVersion must be 1/],
    ['{"schemaVersion":2,"artefacts":[]}', /schemaVersion must be 1, .*but is 2/],
    ['{"schemaVersion":1,"artefacts":null}', /artefacts must be an array/],
    ['{"schemaVersion":1,"artefacts":[null]}', /artefacts\[0\]\.id must be a string, but is undefined/],
    [
      JSON.stringify({ schemaVersion: 1, artefacts: [artefact, { ...artefact, arch: undefined }] }),
      /artefacts\[1\]\.arch must be a string/,
    ],
    [
      JSON.stringify({ schemaVersion: 1, artefacts: [{ ...artefact, format: 'elf' }] }),
      /artefacts\[0\]\.format must be ptx or cubin, but is elf/,
    ],
  ])('refuses %s, naming the file', (text, message) => {
    using scratch = new Scratch();
    const path = scratch.file('dist/kernels/manifest.json', text);
    expect(() => readManifest(scratch.path)).toThrow(IntegrityError);
    expect(() => readManifest(scratch.path)).toThrow(message);
    expect(() => readManifest(scratch.path)).toThrow(path);
  });
});
