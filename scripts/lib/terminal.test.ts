import { expect, it } from 'vitest';
import { seconds, wrap } from './terminal.mjs';

it('breaks at spaces, within the width', () => {
  expect(wrap('one two three four', 2, 11)).toBe('  one two\n  three\n  four');
});

it('keeps a word whole that is longer than a line', () => {
  expect(wrap('an unbreakable word', 0, 5)).toBe('an\nunbreakable\nword');
});

it('shows milliseconds as seconds', () => {
  expect(seconds(1234)).toBe('1.2 s');
});
