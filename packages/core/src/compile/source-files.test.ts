import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Scratch } from '../../test/support/fake-tools.js';
import { ArgumentError } from '../errors.js';
import { ownHeaders, readSourceFiles, sourceDigest } from './source-files.js';

function packageWith(scratch: Scratch, files: Record<string, string>): (name: string) => URL {
  scratch.file('package.json', '{}');
  for (const [name, text] of Object.entries(files)) scratch.file(name, text);
  return (name) => pathToFileURL(`${scratch.path}/${name}`);
}

describe('readSourceFiles', () => {
  it('names files from the package on and follows every include once', async () => {
    using scratch = new Scratch();
    const url = packageWith(scratch, {
      'kernels/k/kernel.cu':
        '#include "../parts/tile.cuh"\n  #  include <ffma/epilogue.cuh>\n#include <cuda_fp16.h>\n',
      'kernels/parts/tile.cuh': '#include "more.cuh"\n#include <ffma/fma.cuh>',
      'kernels/parts/more.cuh': '#include "tile.cuh"',
    });
    const { main, files } = await readSourceFiles(url('kernels/k/kernel.cu'));
    expect(main).toBe('kernels/k/kernel.cu');
    expect([...files.keys()].sort()).toEqual([
      'ffma/epilogue.cuh',
      'ffma/fma.cuh',
      'ffma/vec.cuh',
      'kernels/k/kernel.cu',
      'kernels/parts/more.cuh',
      'kernels/parts/tile.cuh',
    ]);
  });

  it('gives the copy in dist the same name', async () => {
    using scratch = new Scratch();
    const url = packageWith(scratch, {
      'dist/kernels/k/kernel.cu': '#include "own.cuh"',
      'dist/kernels/k/own.cuh': '',
    });
    const { main, files } = await readSourceFiles(url('dist/kernels/k/kernel.cu'));
    expect(main).toBe('kernels/k/kernel.cu');
    expect([...files.keys()]).toContain('kernels/k/own.cuh');
  });

  it('refuses a header outside of the package', async () => {
    using scratch = new Scratch();
    const url = packageWith(scratch, { 'kernel.cu': '#include "../x.cuh"' });
    await expect(readSourceFiles(url('kernel.cu'))).rejects.toThrow(
      /kernel\.cu includes "\.\.\/x\.cuh", which lies outside/,
    );
  });

  it('refuses device headers outside of their folder, however they are written', async () => {
    for (const include of ['<ffma/../../package.json>', '"ffma/../../package.json"']) {
      const reading = readSourceFiles({ name: 'x.cu', text: `#include ${include}` });
      await expect(reading).rejects.toThrow(/which lies outside of its package/);
    }
  });

  it('refuses a path that a shell would not take for a name', async () => {
    using scratch = new Scratch();
    const url = packageWith(scratch, { 'a b/kernel.cu': '', '$(true)/kernel.cu': '' });
    expect((await readSourceFiles(url('a b/kernel.cu'))).main).toBe('a b/kernel.cu');
    await expect(readSourceFiles(url('$(true)/kernel.cu'))).rejects.toThrow(ArgumentError);
  });

  it('says where a missing source should be', async () => {
    using scratch = new Scratch();
    const url = packageWith(scratch, {});
    await expect(readSourceFiles(url('kernel.cu'))).rejects.toThrow(
      /There is no kernel source at .*kernel\.cu/,
    );
  });

  it('takes text', async () => {
    const { main, files } = await readSourceFiles({ name: 'x.cu', text: '#include <ffma/fma.cuh>' });
    expect(main).toBe('x.cu');
    expect([...files.keys()]).toEqual(['x.cu', 'ffma/fma.cuh']);
  });
});

describe('the name of a text', () => {
  it.each([
    '../x.cu',
    '/tmp/x.cu',
    'a/x.cu',
    'a\\x.cu',
    '..',
    '',
    '-o.cu',
    'x.cu; true',
    '$(true).cu',
    'x".cu',
    'x\n.cu',
    'entry.cu',
    undefined,
  ])('must not be %j', async (name) => {
    const reading = readSourceFiles({ name: name as string, text: '' });
    await expect(reading).rejects.toThrow(ArgumentError);
    await expect(reading).rejects.toThrow(/name of a source given as text must match/);
  });
});

describe('ownHeaders', () => {
  it("lists the package's headers and not those of core", async () => {
    using scratch = new Scratch();
    const url = packageWith(scratch, {
      'k/kernel.cu': '#include "own.cuh"\n#include <ffma/fma.cuh>',
      'k/own.cuh': '',
    });
    expect(await ownHeaders(url('k/kernel.cu'))).toEqual([`${scratch.path}/k/own.cuh`]);
  });
});

describe('sourceDigest', () => {
  it('changes with a header that the source reaches, and not with what it does not', async () => {
    using scratch = new Scratch();
    const url = packageWith(scratch, { 'kernel.cu': '#include "own.cuh"', 'own.cuh': '1', 'other.cuh': '1' });
    const before = await sourceDigest(url('kernel.cu'));
    scratch.file('other.cuh', '2');
    expect(await sourceDigest(url('kernel.cu'))).toBe(before);
    scratch.file('own.cuh', '2');
    expect(await sourceDigest(url('kernel.cu'))).not.toBe(before);
  });
});
