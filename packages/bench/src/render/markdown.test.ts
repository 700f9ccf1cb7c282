import { expect, test } from 'vitest';
import { escapeMarkdown, safeMarkdownTable } from './markdown.js';

test('what would be markup is written as text; ids stay as they are', () => {
  expect(escapeMarkdown('k12_128x64x16_nospread_tagged at 1024³: 93.4 %')).toBe(
    'k12_128x64x16_nospread_tagged at 1024³: 93.4 %',
  );
  expect(escapeMarkdown('<b> & `x` *y* _z_ [a](b) |c| \\d')).toBe(
    '&lt;b\\> &amp; \\`x\\` \\*y\\* \\_z\\_ \\[a\\](b) \\|c\\| \\\\d',
  );
  expect(['# a', '- b', '+ c', '> d', 'e # - f'].map(escapeMarkdown)).toEqual([
    '\\# a',
    '\\- b',
    '\\+ c',
    '\\> d',
    'e # - f',
  ]);
  expect(escapeMarkdown('two\nlines\u001b[31m')).toBe('two lines');
});

test('cells end where they should', () => {
  const table = { columns: [{ title: 'a|b' }], rows: [{ cells: ['<i>|`'] }] };
  expect(safeMarkdownTable(table)).toEqual(['| a\\|b |', '| --- |', '| &lt;i>\\|\\` |']);
});
