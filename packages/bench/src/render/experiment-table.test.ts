import { expect, test } from 'vitest';
import { findExperiment } from '../experiment/find.js';
import { runExperiment } from '../experiment/run-experiment.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { experimentDiscovery, experimentTimes as times } from '../test-support/timed-experiment.js';
import { renderExperimentTable } from './experiment-table.js';

async function result() {
  const discovery = experimentDiscovery();
  return runExperiment(new FakeTimingDevice({ times }), findExperiment(discovery, 'two-by-two'), {
    discovery,
    protocol: { launches: 2, warmUpMs: 0 },
  });
}

test('speeds stand beside the published ones, those of compiled sizes marked', async () => {
  const lines = renderExperimentTable(await result(), 'file.json');
  expect(lines.slice(0, 6)).toEqual([
    '| two-by-two | 8³ | 6³ |',
    '| --- | ---: | ---: |',
    '| neither | 75.0 % | 75.0 % |',
    '| both | 85.7 % (97) | 85.7 % |',
    '| sized |  | 120.0 %† |',
    expect.stringMatching(/^\| library \| 60\.0 µs, .* TFLOP\/s \| 60\.0 µs, .* TFLOP\/s \|$/),
  ]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  const caption = lines.slice(7).join(' ');
  expect(caption).toMatch(
    /^Percent of lib.*, of the fastest variant of each row\. In parentheses what An Article has/,
  );
  expect(caption).toMatch(
    /on H100, the best of a sweep unless it is marked fixed \(both: three tried\)\. † with the/,
  );
  expect(caption).toMatch(/Median of 3 alternating rounds, each the median of 2 launches/);
});

test('what has no figure says so, and a fixed configuration is marked', async () => {
  const made = await result();
  const rows = made.experiment.rows.map((row) => ({
    ...row,
    about: `about ${row.name}`,
    published: row.published.map((one) => ({
      ...one,
      unit: '%' as const,
      kind: 'fixed configuration' as const,
    })),
  }));
  const untimed = made.rows.map(({ times: _, ...row }) => row);
  const lines = renderExperimentTable(
    { ...made, rows: untimed, experiment: { ...made.experiment, rows } },
    'file.json',
  );
  expect(lines[0]).toBe('| two-by-two | what it is | 8³ | 6³ |');
  expect(lines[2]).toBe('| neither | about neither | – (73.9 fixed) | – |');
  expect(lines.join(' ')).not.toContain('†');
});
