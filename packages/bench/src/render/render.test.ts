import { expect, test } from 'vitest';
import { bytes, count, duration, figure, percent, shape } from './numbers.js';
import { columnsOf, styleFor } from './style.js';
import { renderMarkdown, renderTable, type Table } from './table.js';
import { clip, hang, widthOf, wrap } from './text.js';

const table: Table = {
  columns: [
    { title: 'kernel' },
    { title: 'built' },
    { title: 'n', align: 'right' },
    { title: 'change', wrapTo: 20 },
  ],
  rows: [
    { cells: ['k01', 'ptx 80', '7', 'One output a thread.'] },
    {
      cells: [
        'k11_bm128_bn64_bk16_tm8_tn8_s3',
        'ptx 80 90',
        '1024',
        'Copy pointers and shared offsets are computed once and advanced by fixed strides.',
      ],
    },
  ],
};

test('a table that fits keeps its natural widths', () => {
  expect(renderTable({ ...table, rows: table.rows.slice(0, 1) }, 80)).toEqual([
    'kernel  built   n  change',
    'k01     ptx 80  7  One output a thread.',
  ]);
});

test('a table that is too wide wraps its wrapping column and loses no word', () => {
  const lines = renderTable(table, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const words = lines.slice(2).flatMap((line) => line.split(/ +/));
  for (const word of table.rows[1]!.cells.flatMap((cell) => cell.split(' '))) expect(words).toContain(word);
});

test('a table that cannot fit by wrapping cuts its other columns, never its numbers', () => {
  const lines = renderTable(table, 50);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(50);
  expect(lines.join('\n')).toMatch(/k11\S*… .* 1024 /);
});

test('what a terminal would obey is not passed on', () => {
  const change = '\u001b[31mred\u001b[0m \u001b]0;title\u0007bell\u0007\u0000 \u009b2J';
  const rows = [{ cells: [change, 'ptx', '1', change] }];
  const shown = [...renderTable({ ...table, rows }, 200), ...renderMarkdown({ ...table, rows })].join('\n');
  expect(shown).toContain('red');
  expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('Markdown escapes pipes and marks alignment', () => {
  const lines = renderMarkdown({
    columns: [{ title: 'a' }, { title: 'n', align: 'right' }],
    rows: [{ cells: ['x|y\nz', '1'] }],
  });
  expect(lines).toEqual(['| a | n |', '| --- | ---: |', '| x\\|y z | 1 |']);
});

test('text wraps between words, breaks words that are too long, and hangs', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('now 95.4 % at 61.3 µs, of', 9)).toEqual(['now', '95.4 % at', '61.3 µs,', 'of']);
  expect(wrap('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
  expect(hang('- ', 'aaaaaaaaaa bbbbbbbbbb cc', 22)).toEqual(['- aaaaaaaaaa', '  bbbbbbbbbb cc']);
  expect(clip('abcdef', 4)).toBe('abc…');
  expect(widthOf('\u001b[31mred\u001b[39m')).toBe(3);
});

test.each([
  [32, '32'],
  [0.970_3, '0.97'],
  [9999, '9999'],
  [16_777_216, '16.8M'],
  [12_345, '12.3K'],
  [2.5e9, '2.5G'],
  [0.000_123_4, '0.00012'],
  [Number.NaN, '–'],
  [null, '–'],
])('the figure %s is written %s', (value, text) => {
  expect(figure(value)).toBe(text);
});

test('units', () => {
  expect(percent(0.1234)).toBe('12.3 %');
  expect(bytes(227 * 1024)).toBe('227 KiB');
  expect(bytes(1536 * 1024 ** 2)).toBe('1.5 GiB');
  expect([duration(420), duration(12_400), duration(200_000)]).toEqual(['0.4 s', '12 s', '3 min 20 s']);
  expect([shape({ m: 8, n: 8, k: 8 }), shape({ m: 8, n: 4, k: 2 })]).toEqual(['8³', '8×4×2']);
  expect([count(1, 'kernel'), count(2, 'kernel')]).toEqual(['1 kernel', '2 kernels']);
});

test('colour only on a terminal, and never with NO_COLOR', () => {
  expect(styleFor({ isTTY: true }, {}).red('x')).not.toBe('x');
  expect(styleFor({ isTTY: true }, { NO_COLOR: '1' }).red('x')).toBe('x');
  expect(styleFor({}, {}).red('x')).toBe('x');
  expect([columnsOf({}), columnsOf({ columns: 20 }), columnsOf({ columns: 300 })]).toEqual([80, 60, 120]);
});
