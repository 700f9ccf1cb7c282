import { describe, expect, test } from 'vitest';
import { MatrixImage, matrixLayout } from '../data/matrix-image.js';
import { articleGate } from './article.js';
import { memoryGate } from './memory.js';
import { writtenGate } from './written.js';

const layout = matrixLayout('c', 3, 4, 6, { offset: 1 });
const image = MatrixImage.make(layout, (row, col) => row * 10 + col);

function changed(index: number, word: number, written = true) {
  const after = image.words.slice();
  after[index] = word;
  return memoryGate([{ before: image, after, written }]);
}

describe('memory', () => {
  test('elements of a result may change, of an input not', () => {
    const element = layout.start + 6 + 2;
    expect(changed(element, 0).passed).toBe(true);
    const input = changed(element, 0, false);
    expect(input).toMatchObject({
      passed: false,
      failures: 1,
      worst: { matrix: 'c', row: 1, col: 2, got: 0, want: 12 },
    });
    expect(input.sentence).toMatch(/input C\[1\]\[2\]: 0x00000000 \(0\) where 0x41400000 was/);
  });

  test('each region is named', () => {
    expect(changed(layout.start - 1, 0).sentence).toMatch(
      /the band before C, 1 word before its first element/,
    );
    expect(changed(0, 0).sentence).toMatch(/the band before C, 257 words before/);
    expect(changed(layout.start + 6 + 4, 0).sentence).toMatch(/the padding of C, column 4 of row 1/);
    expect(changed(layout.start + 2 * 6 + 4, 0).sentence).toMatch(
      /the band after C, 1 word past its last element/,
    );
    expect(changed(layout.length - 1, 0).passed).toBe(false);
  });

  test('one NaN in place of another shows', () => {
    const index = layout.start + 4;
    const word = image.words[index]!;
    expect(Number.isNaN(image.values[index])).toBe(true);
    expect(changed(index, word).passed).toBe(true);
    expect(changed(index, word ^ 1).passed).toBe(false);
    expect(changed(index, image.words[index + 1]!).passed).toBe(false);
  });

  test('every single word outside the elements is watched', () => {
    for (let index = 0; index < layout.length; index++) {
      const at = index - layout.start;
      const element = at >= 0 && at < 18 && at % 6 < 4;
      expect(changed(index, 0).passed, `word ${index}`).toBe(element);
      expect(changed(index, 1, false).passed, `word ${index}`).toBe(false);
    }
  });

  test('a short result fails', () => {
    expect(memoryGate([{ before: image, after: image.words.slice(0, -1), written: true }]).passed).toBe(
      false,
    );
  });

  test('an empty matrix is all band', () => {
    const empty = MatrixImage.make(matrixLayout('c', 0, 4, 4), () => 0);
    const after = empty.words.slice();
    expect(memoryGate([{ before: empty, after, written: true }]).passed).toBe(true);
    after[empty.layout.start] = 0;
    expect(memoryGate([{ before: empty, after, written: true }]).sentence).toMatch(
      /the band after C, 1 word past/,
    );
  });
});

describe('written', () => {
  const before = image.filled('poison');

  test('an element that still holds its poison is found, whatever the others became', () => {
    const after = before.words.slice();
    for (let row = 0; row < 3; row++)
      after.fill(0x7fc00000, layout.start + row * 6, layout.start + row * 6 + 4);
    expect(writtenGate(before, after).passed).toBe(true);
    after[layout.start + 6] = before.words[layout.start + 6]!;
    expect(writtenGate(before, after)).toMatchObject({
      passed: false,
      failures: 1,
      worst: { row: 1, col: 0 },
    });
  });

  test('poisoning leaves bands and padding', () => {
    expect(memoryGate([{ before: image, after: before.words, written: true }]).passed).toBe(true);
  });
});

describe('article', () => {
  const reference = (values: number[]) => ({
    m: 1,
    n: values.length,
    values: new Float64Array(values),
    magnitudes: new Float64Array(values.length),
    products: new Float64Array(values.length),
    largest: 0,
  });
  const gate = (got: number[], want: number[]) =>
    articleGate({ m: 1, n: got.length, got: new Float32Array(got), reference: reference(want) });

  test('is reported and decides nothing', () => {
    expect(gate([1, 100], [1, 100])).toMatchObject({ passed: true, decides: false, measured: 0 });
    expect(gate([1.005, 100], [1, 100]).passed).toBe(true);
    expect(gate([1.02, 100], [1, 100])).toMatchObject({ passed: false, decides: false });
  });

  test('what is not finite fails, and so does any error where all is zero', () => {
    expect(gate([Number.NaN, 100], [1, 100]).passed).toBe(false);
    expect(gate([Number.POSITIVE_INFINITY, 100], [Number.POSITIVE_INFINITY, 100]).passed).toBe(false);
    expect(gate([1e-30], [0])).toMatchObject({ passed: false, measured: 'Infinity' });
    expect(gate([0], [0]).passed).toBe(true);
  });
});
