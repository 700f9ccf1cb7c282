import { readdir, readFile } from 'node:fs/promises';
import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import { f32, f64, i32, i64 } from './wasm-types.js';

test('the types are those of binaryen', () => {
  expect([i32, i64, f32, f64]).toEqual([binaryen.i32, binaryen.i64, binaryen.f32, binaryen.f64]);
});

test('nothing of lowering loads binaryen, since all of it is loaded with the package', async () => {
  const folder = new URL('.', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  expect(names.filter((_, i) => /^import (?!type).*'binaryen'/m.test(texts[i] ?? ''))).toEqual([]);
  expect(names.length).toBeGreaterThan(10);
});
