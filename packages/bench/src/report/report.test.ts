import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BenchResult } from '../result/schema.js';
import { stringifyResult } from '../result/store.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { inputsOfEveryKind, sweepOf } from '../test-support/report-inputs.js';
import { timedBench } from '../test-support/timed-bench.js';
import type { BarsChart } from './charts/bars.js';
import { readReportInputs } from './inputs.js';
import { renderReportMarkdown } from './markdown.js';
import { allSections, figuresOf } from './model.js';
import { reportOf } from './report.js';

const { result } = await timedBench();
const text = stringifyResult(result);
const reported = (changed: BenchResult) =>
  reportOf({ inputs: [{ file: 'r.json', result: changed }], leftOut: [] });

describe('inputs', () => {
  test('are files, and the results of folders by name; a file named twice is read once', async () => {
    using folder = temporaryFolder({ 'b.json': text, 'a.json': text, 'notes.txt': 'x', 'other.json': '{}' });
    const at = (name: string) => join(folder.path, name);
    const { inputs, leftOut } = await readReportInputs([at('b.json'), folder.path]);
    expect(inputs.map(({ file }) => file)).toEqual([at('b.json'), at('a.json')]);
    expect(leftOut).toEqual([
      { file: at('other.json'), text: expect.stringMatching(/^It is left out: .*no result of ffma/) },
    ]);
  });

  test('that are no results are refused', async () => {
    using folder = temporaryFolder({ 'bad.json': '{' });
    mkdirSync(join(folder.path, 'empty'));
    mkdirSync(join(folder.path, 'wrong'));
    writeFileSync(join(folder.path, 'wrong/x.json'), '[]');
    for (const [path, why] of [
      ['bad.json', /bad\.json is no JSON/],
      ['empty', /There is no result file in .*empty: nothing there is named \*\.json/],
      ['wrong', /There is no result file in .*wrong\. It is left out: .*array/],
      ['gone.json', /there is no such file/],
    ] as const)
      await expect(readReportInputs([join(folder.path, path)]), path).rejects.toThrow(why);
  });
});

describe('a report', () => {
  test('warns of what was interrupted, is wrong, refused or not ranked', () => {
    const [first, second, third] = result.rows as [
      BenchResult['rows'][0],
      BenchResult['rows'][0],
      BenchResult['rows'][0],
    ];
    const correctness = {
      ...first.correctness,
      status: 'failed' as const,
      failures: ['One element is off.'],
    };
    const { times: _, ...wrong } = { ...second, correctness };
    const report = reported({
      ...result,
      interrupted: true,
      rows: [first, wrong, { ...third, unranked: 'It is over the peak.' }],
    });
    expect(report.warnings.map((one) => one.text)).toEqual([
      'It was interrupted: not all that was asked for was measured.',
      expect.stringMatching(/ at 8³ is wrong: One element is off\.$/),
      expect.stringMatching(/ at 8³ is not ranked: It is over the peak\.$/),
    ]);
    expect(reported(result).warnings).toEqual([]);
  });

  test('names what its files do not hold, and the command that makes it', async () => {
    const commands = reported(result).missing.map(({ command }) => command.split(' ').slice(0, 2).join(' '));
    expect(commands).toEqual([
      'ffma experiment',
      'ffma bench',
      'ffma profile',
      'ffma roofline',
      'ffma sweep',
      'ffma compare',
    ]);
    const all = reportOf({ inputs: await inputsOfEveryKind(), leftOut: [] });
    expect(all.missing.map(({ command }) => command.split(' ')[1])).toEqual(['bench']);
  });

  test('says what a sweep was ranked by: a time, or a counter that is none', () => {
    const titled = (rankedBy: string) => {
      const inputs = [{ file: 's.json', result: sweepOf(result, rankedBy) }];
      const [section] = reportOf({ inputs, leftOut: [] }).sections;
      const [part] = section?.parts ?? [];
      const [block] = part?.blocks ?? [];
      const chart = block?.kind === 'figure' ? (block.figure.chart as BarsChart) : undefined;
      return [part?.title, ...(chart?.groups[0]?.bars.map(({ name, text: own }) => `${name} ${own}`) ?? [])];
    };
    expect(titled('ratio')).toEqual(['8³: a is the fastest', 'a 110.0 %', 'b 90.0 %']);
    expect(titled('overhead.perFfma')).toEqual(['8³: a comes first by overhead.perFfma', 'a 0.1', 'b 0.2']);
  });

  test('says what made every figure: device, protocol, revision, clocks, rounds, digests', () => {
    const git = { revision: 'c'.repeat(40), dirty: true };
    const rows = result.rows.map((row) => ({ ...row, digests: { source: 'd'.repeat(64) } }));
    const [part] = reported({ ...result, git, rows }).provenance.parts ?? [];
    const cells = (part?.blocks ?? []).flatMap((block) => (block.kind === 'table' ? block.table.rows : []));
    const all = cells.map((row) => row.cells.join(' ')).join('\n');
    for (const expected of [
      result.device.name,
      result.createdAt,
      `${result.protocol.name} ${result.protocol.version}`,
      `git ${git.revision}, with changes that were not committed`,
      ` 3 0 rounds `,
      'd'.repeat(64),
      ...result.rows.map(({ artefact }) => artefact?.sha256 ?? 'no digest'),
    ])
      expect(all).toContain(expected);
  });

  test('has ids that nothing else has, of small letters, digits and hyphens', async () => {
    const inputs = await inputsOfEveryKind();
    const report = reportOf({ inputs: [...inputs, ...inputs], leftOut: [] });
    const ids = [...allSections([...report.sections, report.provenance]), ...figuresOf(report)].map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9-]+$/.test(id))).toEqual([]);
  });
});

describe('Markdown', () => {
  test('has tables; charts only where there are pictures of them', async () => {
    const report = reportOf({ inputs: await inputsOfEveryKind(), leftOut: [] });
    const plain = renderReportMarkdown(report).join('\n');
    expect(plain).toContain('| kernel | µs | TFLOP/s |');
    expect(plain).not.toMatch(/!\[|round 1 \|/);
    const pictured = renderReportMarkdown(report, { picture: ({ id }) => `charts/${id} 1.svg` }).join('\n');
    expect(pictured).toContain('](charts/bench-share%201.svg)');
    expect(pictured).toContain('<details><summary>Show the data</summary>');
  });

  test('shows names that are markup as text', () => {
    const rows = result.rows.map((row) => ({ ...row, kernel: '<b>|*x*`', id: '<b>|*x*`' }));
    const lines = renderReportMarkdown(
      reported({ ...result, rows, device: { ...result.device, name: '<img>[x](y)' } }),
    );
    expect(lines.join('\n')).not.toMatch(/<b>|<img>|[^\\]\[x\]/);
    const widths = lines
      .filter((line) => line.startsWith('| &lt;b>'))
      .map((line) => line.split(/(?<!\\)\|/).length);
    expect(widths.length).toBeGreaterThan(0);
    expect(new Set(widths).size).toBe(1);
  });
});
