import { expect, test } from 'vitest';
import { naturalLoops } from './flow.js';
import { parseSass } from './parse.js';

/** Loops by the numbers of their lines; a branch names the line that it leads to. */
function loops(...lines: readonly string[]) {
  const text = lines.map((line, i) => {
    const address = (16 * i).toString(16).padStart(4, '0');
    return `/*${address}*/ ${line.replace(/BRA (\d+)/, (_, to) => `BRA 0x${(16 * Number(to)).toString(16)}`)} ;`;
  });
  return naturalLoops(parseSass(text.join('\n'))[0]?.instructions ?? [])
    .map((loop) => loop.map(({ address }) => address / 16))
    .sort((x, y) => x.length - y.length);
}

test('a loop is what lies between its head and the branch back; the inner one is another', () => {
  expect(loops('NOP', 'NOP', '@P0 BRA 1', '@P1 BRA 1', 'EXIT')).toEqual([[1, 2, 3]]);
  expect(loops('NOP', 'NOP', 'NOP', '@P0 BRA 2', '@P1 BRA 1', 'EXIT')).toEqual([
    [2, 3],
    [1, 2, 3, 4],
  ]);
});

test('what was moved behind the end belongs to the loop that it returns to, and is no loop', () => {
  // The loop 1 to 4 leaves at 2 for 6, which comes back to 3.
  const moved = ['NOP', 'NOP', '@!P0 BRA 6', 'NOP', '@P1 BRA 1', 'EXIT', 'NOP', 'BRA 3'];
  expect(loops(...moved)).toEqual([[1, 2, 3, 4, 6, 7]]);
});

test('waiting that was moved behind the end is a loop of its own, within the other', () => {
  const waiting = ['NOP', 'NOP', '@!P0 BRA 5', '@P1 BRA 1', 'EXIT', 'NOP', '@!P0 BRA 5', 'BRA 3'];
  expect(loops(...waiting)).toEqual([
    [5, 6],
    [1, 2, 3, 5, 6, 7],
  ]);
});

test('code that nothing leads to has no loop that counts, but the branch to itself at the end is none of the function', () => {
  expect(loops('EXIT', 'BRA 1')).toEqual([]);
  expect(loops('NOP', 'BRA 0')).toEqual([[0, 1]]);
  expect(loops('NOP', '@P0 EXIT', 'BRA 0', 'NOP')).toEqual([[0, 1, 2]]);
});

test('a branch to a computed address is taken to go on', () => {
  expect(loops('NOP', 'BRX R2', '@P0 BRA 0', 'EXIT')).toEqual([[0, 1, 2]]);
});
