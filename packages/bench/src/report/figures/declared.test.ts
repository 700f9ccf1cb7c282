import { describe, expect, it } from 'vitest';
import { chartedExperiment, chartedRows } from '../../test-support/charted-experiment.js';
import { profileOf } from '../../test-support/report-inputs.js';
import type { GridsChart } from '../charts/grids.js';
import type { StepsChart } from '../charts/steps.js';
import { declaredFigures } from './declared.js';

describe('charts that an experiment asks for', () => {
  it('steps stand beside what was published, and what comes from elsewhere is told apart', async () => {
    const result = await chartedExperiment({ kind: 'steps', rows: chartedRows, apart: ['base'] });
    const { figures } = declaredFigures('x', result, []);
    const { steps, panels, here, there } = figures[0]!.chart as StepsChart;
    expect(steps).toEqual(chartedRows);
    expect(panels).toHaveLength(1);
    expect(panels[0]?.ours.map(({ value }) => Math.round(value))).toEqual([75, 68, 79, 94]);
    expect(panels[0]?.published).toEqual([
      { step: 0, value: 65, kind: "sweep's best", apart: true },
      { step: 1, value: 89, kind: "sweep's best", apart: false },
      { step: 2, value: 97, kind: 'fixed configuration', apart: false },
    ]);
    expect([here, there]).toEqual([`here, on ${result.device.name}`, 'published, on H100']);
    expect(figures[0]?.table.rows.map(({ cells }) => cells.at(-1))).toEqual([
      "65, elsewhere, sweep's best",
      "89, sweep's best",
      '97, fixed configuration',
      '–',
    ]);
  });

  it('two changes are a grid, each cell with its change and what was published of it', async () => {
    const result = await chartedExperiment({
      kind: 'two-by-two',
      about: 'BK 8',
      changes: [
        { off: 'rows', on: 'transposed' },
        { off: 'no prefetch', on: 'prefetch' },
      ],
      rows: { neither: 'base', first: 'one', second: 'two', both: 'both' },
    });
    const [figure] = declaredFigures('x', result, []).figures;
    const { grids, down, across } = figure!.chart as GridsChart;
    expect([down, across]).toEqual([
      ['rows', 'transposed'],
      ['no prefetch', 'prefetch'],
    ]);
    const cells = grids[0]?.cells.map(({ row, column, text, change, published: other, best }) => [
      row,
      column,
      text,
      change,
      other,
      best,
    ]);
    expect(cells).toEqual([
      [0, 0, '80.0 µs', undefined, 'H100: 100.0 µs', false],
      [0, 1, '76.0 µs', '5.0 % faster', undefined, false],
      [1, 0, '88.0 µs', '10.0 % slower', undefined, false],
      [1, 1, '64.0 µs', '20.0 % faster', 'H100: 90.0 µs, 10.0 % faster', true],
    ]);
    expect(figure?.says).toContain(
      'transposed alone is 10.0 % slower, prefetch alone 5.0 % faster, both 20.0 % faster',
    );
  });

  it('an arrow is of times, and of traffic where both ends were profiled', async () => {
    const arrows = [{ about: 'tile', from: 'base', to: 'both' }];
    const result = await chartedExperiment({ kind: 'arrows', ends: ['off', 'on'], arrows });
    const [alone] = declaredFigures('x', result, []).figures;
    expect(alone?.chart).toMatchObject({
      groups: [
        {
          title: 'Time',
          arrows: [{ name: 'tile, 8³', percent: 80, text: '80.0 µs → 64.0 µs, 20.0 % faster' }],
        },
      ],
    });
    const profile = { file: 'p.json', result: profileOf(result) };
    const [both] = declaredFigures('x', result, [profile]).figures;
    expect(both?.table.rows.map(({ cells }) => cells.join(' '))).toEqual([
      'Time tile, 8³ 80.0 µs 64.0 µs 20.0 % faster',
      expect.stringMatching(/^Bytes read from DRAM, profiled tile, 8³ .* (B|KiB) .* % more$/),
    ]);
    const other = {
      ...profile,
      result: { ...profile.result, device: { ...result.device, name: 'another GPU' } },
    };
    expect(declaredFigures('x', result, [other]).figures[0]?.table.rows).toHaveLength(1);
  });

  it('what was not profiled is told with the command that profiles it', async () => {
    const result = await chartedExperiment({ kind: 'stalls', rows: ['base', 'both'] });
    const { figures, missing } = declaredFigures('x', result, []);
    expect(figures).toEqual([]);
    expect(missing.join()).toMatch(
      /none of the files has a profile of them\. ffma profile base\S* both\S* --sizes 8 --json/,
    );
    const profile = profileOf(result, result.rows, (id) => (id.startsWith('both') ? 'barrier' : 'wait'));
    const drawn = declaredFigures('x', result, [{ file: 'p.json', result: profile }]);
    expect(drawn.missing).toEqual([]);
    expect(drawn.figures[0]?.says).toBe('The longest wait of each. base: wait, 0.50; both: barrier, 0.50.');
  });

  it('a chart of rows that were not measured says so', async () => {
    const result = await chartedExperiment({
      kind: 'arrows',
      ends: ['off', 'on'],
      arrows: [{ about: 'x', from: 'base', to: 'both' }],
    });
    const unmeasured = { ...result, rows: result.rows.filter(({ kernel }) => kernel !== 'both') };
    expect(declaredFigures('x', unmeasured, [])).toEqual({
      figures: [],
      missing: ['A chart (arrows) is not drawn: not all of its rows were measured.'],
    });
  });
});
