import { expect, test } from 'vitest';
import type { ResultRow } from '../../result/schema.js';
import { timedBench } from '../../test-support/timed-bench.js';
import type { BarsChart } from '../charts/bars.js';
import { countedFigure } from './counted.js';

const { result } = await timedBench();
const counting = (row: ResultRow, ...launches: Readonly<Record<string, number>>[]): ResultRow => ({
  ...row,
  counters: {
    level: 'ptx',
    values: {},
    launches: launches.map((instructions) => ({
      kernel: 'symbol',
      grid: [1, 1, 1],
      block: [32, 1, 1],
      sharedBytes: 0,
      instructions,
      sites: [],
    })),
  },
});
const [first, second, third] = result.rows as [ResultRow, ResultRow, ResultRow];

test('instructions of all launches are told for each FFMA, the most first', () => {
  const rows = [
    counting(first, { ffma: 100, integer: 50, 'load.shared': 10 }, { integer: 50, move: 30 }),
    counting(second, { ffma: 100, 'load.shared': 40 }),
    third,
  ];
  const figure = countedFigure('x', '8³', rows);
  const { groups } = figure!.chart as BarsChart;
  expect(groups.map(({ bars }) => bars.map(({ name, text, strong }) => [name, text, strong]))).toEqual([
    [
      ['integer', '1', true],
      ['load.shared', '0.1', false],
      ['move', '0.3', false],
    ],
    [
      ['integer', '0', false],
      ['load.shared', '0.4', true],
      ['move', '0', false],
    ],
  ]);
  expect(groups[0]?.says).toBe('1.4 for each FFMA in all');
  expect(figure?.table.rows.map(({ cells }) => cells.join(' '))).toEqual([
    'integer 1 0',
    'load.shared 0.1 0.4',
    'move 0.3 0',
  ]);
});

test('nothing is drawn of what has no FFMAs, or counted nothing', () => {
  expect(countedFigure('x', '8³', [first])).toBeUndefined();
  expect(countedFigure('x', '8³', [counting(first, { integer: 1 })])).toBeUndefined();
});
