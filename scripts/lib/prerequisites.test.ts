import { describe, expect, it } from 'vitest';
import { cudaCompiler, missingTools } from './prerequisites.mjs';

const tool = (name: string) => ({ name, path: `/usr/bin/${name}`, version: '1.0.0' });
const all = {
  node: '20.19.0',
  nvcc: tool('nvcc'),
  clang: tool('clang'),
  cxx: tool('g++'),
  cmake: tool('cmake'),
};
const summary = (found: Parameters<typeof missingTools>[0]) =>
  missingTools(found).map(({ what, fatal }) => `${fatal ? 'error' : 'warning'} ${what}`);

describe('missingTools', () => {
  it('finds nothing missing where everything is there', () => {
    expect(missingTools(all)).toEqual([]);
  });

  it('takes either CUDA compiler', () => {
    expect(missingTools({ ...all, nvcc: undefined })).toEqual([]);
    expect(missingTools({ ...all, clang: undefined })).toEqual([]);
  });

  it('lists everything at once, what stops the build first', () => {
    expect(summary({ node: '18.20.4' })).toEqual([
      'error Node.js 20.19 or newer (this is 18.20.4)',
      'error a CUDA compiler (nvcc, or clang)',
      'warning a C++ compiler',
      'warning cmake',
    ]);
  });

  it('needs a host compiler where only nvcc can compile the kernels', () => {
    expect(summary({ ...all, cxx: undefined, clang: undefined })).toEqual(['error a C++ compiler']);
    expect(summary({ ...all, cxx: undefined })).toEqual(['warning a C++ compiler']);
    expect(summary({ ...all, cxx: undefined, nvcc: undefined })).toEqual(['warning a C++ compiler']);
  });

  it.each(['20.18.3', '19.9.0', '18.20.4'])('refuses Node.js %s', (node) => {
    expect(missingTools({ ...all, node })).toHaveLength(1);
  });

  it.each(['20.19.0', '20.20.2', '22.0.0', '24.11.1'])('takes Node.js %s', (node) => {
    expect(missingTools({ ...all, node })).toEqual([]);
  });

  it('says for each what it is for and the Debian command', () => {
    for (const { use, remedy } of missingTools({ node: '18.0.0' })) {
      expect(use).toMatch(/\w/);
      expect(remedy).toMatch(/apt-get install -y \S+/);
    }
  });
});

it('builds with nvcc where it can, else with clang', () => {
  expect(cudaCompiler(all)?.name).toBe('nvcc');
  expect(cudaCompiler({ ...all, cxx: undefined })?.name).toBe('clang');
  expect(cudaCompiler({ ...all, nvcc: undefined })?.name).toBe('clang');
});
