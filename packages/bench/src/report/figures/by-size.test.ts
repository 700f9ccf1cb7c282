import { describe, expect, it } from 'vitest';
import { parseSizes } from '../../bench/sizes.js';
import { timedBench } from '../../test-support/timed-bench.js';
import type { LinesChart } from '../charts/lines.js';
import { SERIES } from '../charts/palette.js';
import { bySizeFigures } from './by-size.js';
import { lineUpOf } from './line-up.js';

async function figuresAt(sizes: string, names: readonly string[] = ['k01', 'k02']) {
  const times = Object.fromEntries([
    ['lib', () => 60],
    ...names.map((name) => [name, () => 40 + 10 * Number(name.slice(1))]),
  ]);
  const kernels = {
    lib: { role: 'reference' },
    ...Object.fromEntries(names.map((name) => [name, {}])),
  } as const;
  const { result } = await timedBench({ device: { times }, kernels, options: { sizes: parseSizes(sizes) } });
  const figures = bySizeFigures('x', result, lineUpOf(result));
  return figures.map((figure) => ({ ...figure, chart: figure.chart as LinesChart }));
}

describe('charts by size', () => {
  it('are of speed beside the reference, time and throughput, sizes in order whatever the file has', async () => {
    const [share, time, throughput] = await figuresAt('16,8');
    expect([share, time, throughput].map((one) => one?.id)).toEqual(['x-share', 'x-time', 'x-throughput']);
    expect(share?.chart).toMatchObject({
      sizes: [
        { label: '8³', at: 8 },
        { label: '16³', at: 16 },
      ],
      byExtent: true,
      across: { value: 100, label: '100 %: lib' },
    });
    expect(
      share?.chart.series.map(({ name, points }) => [name, ...points.map(({ value }) => value)]),
    ).toEqual([
      ['k01', 120, 120],
      ['k02', 100, 100],
    ]);
    expect(share?.says).toBe('Highest: k01 (120.0 % at 8³, 120.0 % at 16³).');
    expect(time?.says).toBe('Lowest: k01 (50.0 µs at 8³, 50.0 µs at 16³).');
    expect(time?.chart.series.map(({ name, reference }) => [name, reference])).toEqual([
      ['lib', true],
      ['k01', undefined],
      ['k02', undefined],
    ]);
    expect(throughput?.chart.across?.label).toMatch(/^peak, .* TFLOP\/s$/);
    expect(share?.table.rows.map(({ cells }) => cells.join(' '))).toEqual([
      'lib 100.0 100.0',
      'k01 120.0 120.0',
      'k02 100.0 100.0',
    ]);
  });

  it('stand one beside the other where sizes are no cubes, or batches', async () => {
    const [share] = await figuresAt('8x16x8,8');
    expect(share?.chart).toMatchObject({ byExtent: false, sizes: [{ label: '8³', at: 1 }, { at: 2 }] });
  });

  it('draw as many lines as can be told apart, the fastest; the table has all', async () => {
    const names = ['k08', 'k07', 'k06', 'k05', 'k04', 'k03', 'k02', 'k01'];
    const [share, time] = await figuresAt('8,16', names);
    expect(share?.chart.series.map(({ name }) => name)).toEqual(names.slice(-SERIES));
    expect(time?.chart.series).toHaveLength(SERIES + 1);
    expect(share?.says).toContain(
      `The ${SERIES} that are drawn are the fastest; the others are in the table.`,
    );
    expect(share?.table.rows).toHaveLength(names.length + 1);
  });

  it('are not there for one size', async () => {
    expect(await figuresAt('8')).toEqual([]);
  });
});
