import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { sweptKernel } from '../test-support/swept-kernel.js';
import { parseSet, pointsOf, readSpace, searchSpace, spaceText } from './space.js';

const definition = sweptKernel.definition as unknown as Parameters<typeof searchSpace>[0];

test('later values take the place of earlier ones, in declared order, sorted and each once', () => {
  const space = searchSpace(definition, { BN: [64, 8, 8] }, { BM: [16], DEEP: [true] });
  expect(Object.entries(space)).toEqual([
    ['BM', [16]],
    ['BN', [8, 64]],
    ['DEEP', [true]],
  ]);
  expect([...pointsOf(space)]).toEqual([
    { BM: 16, BN: 8, DEEP: true },
    { BM: 16, BN: 64, DEEP: true },
  ]);
  expect(spaceText(space)).toBe('BM 16 · BN 8, 64 · DEEP true');
});

test.each([
  [{ BX: [1] }, /k50 has no parameter BX; it has BM, BN, DEEP/],
  [{ BM: [true] }, /BM is searched over a list of integers, but is given \[true\]/],
  [{ BM: [] }, /BM is searched over a list of integers, but is given \[\]/],
  [{ DEEP: [1] }, /DEEP is searched over a list of true or false/],
  [{ BM: Array.from({ length: 200_000 }, (_, i) => i) }, /has 2000000 points; 1000000 are the most/],
])('%j is refused', (change, message) => {
  expect(() => searchSpace(definition, change)).toThrow(message);
});

test('a kernel that declares nothing to search needs values', () => {
  const { search: _, ...bare } = definition;
  expect(() => searchSpace(bare)).toThrow(/declares no values to search\. Name some, as --set BM=64,128/);
  expect(searchSpace(bare, { BM: [8] })).toEqual({ BM: [8] });
});

test('values are written as a person writes them', () => {
  expect(parseSet('BM=64, 128')).toEqual({ BM: [64, 128] });
  expect(parseSet('SPREAD=true,false')).toEqual({ SPREAD: [true, false] });
  for (const wrong of ['BM', 'BM=', 'BM=64,', '=3', 'BM=6.5', 'BM=yes'])
    expect(() => parseSet(wrong), wrong).toThrow(/written like BM=64,128/);
});

test('a file of values is an object of lists', async () => {
  using folder = temporaryFolder({
    'a.json': { BM: [64] },
    'b.json': [64],
    'c.json': '{',
    'd.json': { BM: 64 },
  });
  const at = (name: string) => join(folder.path, name);
  expect(await readSpace(at('a.json'))).toEqual({ BM: [64] });
  for (const name of ['b.json', 'd.json'])
    await expect(readSpace(at(name))).rejects.toThrow(/object of lists/);
  for (const name of ['c.json', 'none.json'])
    await expect(readSpace(at(name))).rejects.toThrow(/cannot be read as JSON/);
});
