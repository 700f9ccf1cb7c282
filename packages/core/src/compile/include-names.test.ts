import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFullNames } from './include-names.js';
import { includeFolder } from './source-files.js';

const included = (text: string) => [...text.matchAll(/#\s*include\s*(\S+)/g)].map(([, name]) => name);

it('names a header the same wherever it is included', () => {
  const named = withFullNames({
    'kernels/k/kernel.cu': '#include <ffma/epilogue.cuh>\n #  include "../parts/tile.cuh"\n',
    'kernels/parts/tile.cuh': '#include "step.cuh"\n#include "kernels/parts/../parts/step.cuh"\n',
    'kernels/parts/step.cuh': '#include <ffma/fma.cuh>\n',
    'ffma/epilogue.cuh': '#include "fma.cuh"\n',
    'ffma/fma.cuh': '#pragma once\n',
  });
  expect(Object.values(named).map(included)).toEqual([
    ['"ffma/epilogue.cuh"', '"kernels/parts/tile.cuh"'],
    ['"kernels/parts/step.cuh"', '"kernels/parts/step.cuh"'],
    ['"ffma/fma.cuh"'],
    ['"ffma/fma.cuh"'],
    [],
  ]);
});

it('leaves what it does not know, and every other line, as it is', () => {
  const text = '#include <mma.h>\n#include "cuda_fp16.h" // half\nint x; // #include "a.cuh"\n';
  expect(withFullNames({ 'main.cu': text, 'a.cuh': '' })['main.cu']).toBe(text);
});

it('gives each device header one name, all of them together', () => {
  const headers = readdirSync(join(includeFolder, 'ffma')).map((name): [string, string] => [
    `ffma/${name}`,
    readFileSync(join(includeFolder, 'ffma', name), 'utf8'),
  ]);
  const all = Object.fromEntries(headers);
  const names = new Set(Object.values(withFullNames(all)).flatMap(included));
  expect(names.size).toBeGreaterThan(5);
  for (const name of names) expect(all).toHaveProperty([`${name?.slice(1, -1)}`]);
});
