import { expect, test } from 'vitest';
import { MatrixImage, matrixLayout } from './matrix-image.js';
import { makeProblemData } from './problem-data.js';

test('elements lie at their leading dimension, all else is canaries', () => {
  const image = MatrixImage.make(matrixLayout('a', 2, 3, 5, { offset: 2 }), (row, col) => row * 3 + col);
  const { start, length } = image.layout;
  expect(start).toBe(258);
  expect([...image.values.subarray(start, start + 3)]).toEqual([0, 1, 2]);
  expect([...image.values.subarray(start + 5, start + 8)]).toEqual([3, 4, 5]);
  expect([...image.elements()]).toEqual([0, 1, 2, 3, 4, 5]);
  const word = (index: number) => image.words[index]!.toString(16);
  expect(word(0)).toBe('7fda0000');
  expect(word(start - 1)).toBe('7fda0101');
  expect(word(start + 3)).toBe('7fea0105');
  expect(word(start + 8)).toBe('7fda010a');
  expect(word(length - 1).startsWith('7fda')).toBe(true);
});

test('the band behind holds the 32 rows that a tile too many would write', () => {
  const { start, length } = matrixLayout('c', 4, 100, 100);
  expect(length - (start + 400)).toBeGreaterThanOrEqual(3200);
});

test('tight buffers end with the last element, and offsets break alignment alone', () => {
  expect(matrixLayout('c', 3, 4, 6, { guards: 'none' })).toMatchObject({ start: 0, length: 16 });
  expect(matrixLayout('c', 0, 4, 6, { guards: 'none' }).length).toBe(0);
  const { a, b, c } = makeProblemData(
    { m: 3, n: 4, k: 5 },
    { data: 'uniform', offsets: { a: 1, b: 2, c: 3 } },
  );
  expect([a, b, c].map((image) => image.layout.start % 64)).toEqual([1, 2, 3]);
  expect(() => matrixLayout('b', 1, 1, 1, { offset: -1 })).toThrow(/offset of b must be a whole number/);
});
