import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LibrarySearch, libraries, libraryCandidates, libraryPlaces } from './library-paths.js';
import { searchContext } from './search-context.js';

const library: LibrarySearch = {
  names: ['libcublas.so.13', 'libcublas.so.12', 'libcublas.so'],
  variable: 'FFMA_LIBCUBLAS',
  toolkit: true,
  wheels: ['cu13', 'cublas'],
};
const { names: libraryNames } = library;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ffma-places-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function file(path: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, '');
  return path;
}

/** What is looked at below the root, in order; empty folders in brackets. */
function places(env: Record<string, string | undefined> = {}, search = library): string[] {
  const absolute = Object.entries(env).map(([name, value]) => [
    name,
    value?.replaceAll(/(^|:)(?=\/)/g, `$1${root}`),
  ]);
  const context = searchContext(Object.fromEntries(absolute), root, join(root, 'home'));
  return libraryPlaces(search, context).map((place) =>
    place.type === 'file' ? place.file.replace(root, '') : `[${place.folder.replace(root, '')}]`,
  );
}

test('a machine without CUDA leaves the loader alone', () => {
  expect(places()).toEqual([...libraryNames]);
});

describe('the order', () => {
  test('is the loader, the toolkit that a variable names, the system’s newest first, then wheels', () => {
    const files = [
      '/my/cuda/lib64/libcublas.so.12',
      '/usr/local/cuda-13.1/lib64/libcublas.so.13',
      '/usr/local/cuda-12.8/targets/x86_64-linux/lib/libcublas.so.12',
      '/usr/local/cuda-9.2/lib64/libcublas.so',
      '/opt/cuda/lib64/libcublas.so.13',
      '/usr/lib/x86_64-linux-gnu/libcublas.so.12',
      '/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublas.so.13',
      '/home/.local/lib/python3.11/site-packages/nvidia/cublas/lib/libcublas.so.12',
      '/usr/lib/python3/dist-packages/nvidia/cublas/lib/libcublas.so.12',
    ];
    for (const path of files) file(path);
    expect(places({ CUDA_HOME: '/my/cuda', VIRTUAL_ENV: '/venv' })).toEqual([...libraryNames, ...files]);
  });

  test('within a folder is by version', () => {
    const folder = '/usr/local/cuda-13.0/lib64';
    const files = libraryNames.map((name) => file(`${folder}/${name}`));
    expect(places().slice(libraryNames.length)).toEqual(files);
  });

  test('of Pythons on the PATH is theirs, and needs no Python to run', () => {
    file('/a/bin/python3');
    file('/b/bin/python3');
    const second = file('/b/lib/python3.13/site-packages/nvidia/cu13/lib/libcublas.so.13');
    const first = file('/a/lib/python3.9/site-packages/nvidia/cublas/lib/libcublas.so.12');
    const named = file('/own/nvidia/cublas/lib/libcublas.so.12');
    expect(places({ PATH: '/none:/a/bin:/b/bin', PYTHONPATH: '/own' }).slice(libraryNames.length)).toEqual([
      named,
      first,
      second,
    ]);
  });

  test('of conda has its own library first', () => {
    const own = file('/conda/lib/libcublas.so.12');
    const wheel = file('/conda/lib/python3.12/site-packages/nvidia/cublas/lib/libcublas.so.12');
    expect(places({ CONDA_PREFIX: '/conda' }).slice(libraryNames.length)).toEqual([own, wheel]);
  });
});

test('a file that two places lead to is tried once', () => {
  const path = file('/usr/local/cuda-13.0/lib64/libcublas.so.13.1.0');
  symlinkSync('libcublas.so.13.1.0', join(root, dirname(path), 'libcublas.so.13'));
  symlinkSync('libcublas.so.13', join(root, dirname(path), 'libcublas.so'));
  symlinkSync('cuda-13.0', join(root, 'usr/local/cuda'));
  expect(places().slice(libraryNames.length)).toEqual(['/usr/local/cuda/lib64/libcublas.so.13']);
});

test('a folder without the library is told', () => {
  file('/usr/local/cuda-13.0/lib64/libcudart.so.13');
  expect(places().slice(libraryNames.length)).toEqual(['[/usr/local/cuda-13.0/lib64]']);
});

test('a toolkit that a variable names and that is not there is told, once', () => {
  expect(places({ CUDA_HOME: '/gone', CUDA_PATH: '/gone' })).toEqual([...libraryNames, '[/gone]']);
  expect(places({ CUDA_HOME: '/gone' }, libraries.cuda)).toEqual(['libcuda.so.1']);
});

describe('a variable', () => {
  test('names a file, and nothing else is tried', () => {
    file('/usr/local/cuda-13.0/lib64/libcublas.so.13');
    expect(places({ FFMA_LIBCUBLAS: '/mine/libcublas.so.12' })).toEqual(['/mine/libcublas.so.12']);
    expect(places({ FFMA_LIBCUBLAS: 'libcublas.so.12' })).toEqual(['libcublas.so.12']);
    expect(places({ FFMA_LIBCUBLAS: '' })).toContain('/usr/local/cuda-13.0/lib64/libcublas.so.13');
  });

  test('may name a folder', () => {
    const path = file('/mine/libcublas.so.12');
    expect(places({ FFMA_LIBCUBLAS: '/mine' })).toEqual([path]);
    mkdirSync(join(root, 'empty'));
    expect(places({ FFMA_LIBCUBLAS: '/empty' })).toEqual(['[/empty]']);
  });
});

test('what comes with the driver is not looked for in toolkits', () => {
  file('/usr/local/cuda/lib64/libcuda.so.1');
  const own = file('/usr/local/nvidia/lib64/libcuda.so.1');
  expect(places({}, libraries.cuda)).toEqual(['libcuda.so.1', own]);
});

test('candidates are the places that have something to load', () => {
  mkdirSync(join(root, 'empty'));
  expect(libraryCandidates(library, { FFMA_LIBCUBLAS: join(root, 'empty') })).toEqual([]);
  expect(libraryCandidates(libraries.cuda, { FFMA_LIBCUDA: '/mine/libcuda.so' })).toEqual([
    '/mine/libcuda.so',
  ]);
});
