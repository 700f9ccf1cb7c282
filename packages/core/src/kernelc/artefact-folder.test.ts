import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Scratch } from '../../test/support/fake-tools.js';
import type { KernelManifest } from '../gemm/manifest.js';
import { artefactFile, removeArtefacts, writeArtefacts } from './artefact-folder.js';

const manifestOf = (...ids: string[]): KernelManifest => ({
  schemaVersion: 1,
  package: 'p',
  version: '1.0.0',
  artefacts: ids.map((id) => ({
    id,
    kernel: id,
    params: {},
    format: 'ptx',
    arch: 'compute_80',
    file: artefactFile({ id, format: 'ptx', arch: 'compute_80' }),
    sha256: '',
    compiler: 'c',
    symbols: {},
  })),
});

const bytesOf = ({ id }: { id: string }) => new TextEncoder().encode(`ptx of ${id}`);

describe('writeArtefacts', () => {
  it('writes every file beside a manifest that lists it', async () => {
    using scratch = new Scratch();
    await writeArtefacts(scratch.path, manifestOf('one', 'two'), bytesOf);
    const folder = join(scratch.path, 'dist/kernels');
    expect(readFileSync(join(folder, 'ptx/compute_80/two.ptx'), 'utf8')).toBe('ptx of two');
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifestOf('one', 'two'));
  });

  it('removes what an earlier build left and nothing else', async () => {
    using scratch = new Scratch();
    const other = scratch.file('dist/kernels/course/k01/kernel.js', '');
    scratch.file('dist/kernels/cubin/sm_90/old.cubin', '');
    await writeArtefacts(scratch.path, manifestOf('one', 'two'), bytesOf);
    await writeArtefacts(scratch.path, manifestOf('two'), bytesOf);
    const folder = join(scratch.path, 'dist/kernels');
    expect(readdirSync(join(folder, 'ptx/compute_80'))).toEqual(['two.ptx']);
    expect(readdirSync(join(folder, 'cubin/sm_90'))).toEqual([]);
    expect(existsSync(other)).toBe(true);
  });
});

describe('removeArtefacts', () => {
  it('leaves the compiled declarations', async () => {
    using scratch = new Scratch();
    const other = scratch.file('dist/kernels/course/k01/kernel.js', '');
    await writeArtefacts(scratch.path, manifestOf('one'), bytesOf);
    await removeArtefacts(scratch.path);
    expect(readdirSync(join(scratch.path, 'dist/kernels'))).toEqual(['course']);
    expect(existsSync(other)).toBe(true);
    await removeArtefacts(scratch.path);
  });
});
