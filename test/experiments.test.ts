import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkExperimentRows,
  discoverKernels,
  parseResult,
  plain,
  readResult,
  renderExperiment,
  renderExperimentMarkdown,
  reportFigures,
  reportOf,
  stringifyResult,
} from '@ffma/bench';
import { sizeLabel } from '@ffma/core';
import { describe, expect, it } from 'vitest';
import { experimentLines } from '../scripts/lib/experiments-page.mjs';
import { withTable } from '../scripts/lib/readme-table.mjs';
import { WINNERS, winnerLines } from '../scripts/lib/winners.mjs';
import { fakeExperimentResult } from './fake-experiment.js';
import { root } from './workspace.js';

const discovery = await discoverKernels(root);
const { experiments } = discovery;
/** Times that follow no order: every other round a row is ahead of another one by its id. */
const times = (id: string, { m }: { m: number }, round: number) => {
  const hash = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  return (m / 16) ** 2 * (0.9 + (hash % 400) / 1000) * (1 + ((round * 7 + hash) % 5) / 1000);
};

it('there are experiments in every package of the ladder, each name once', () => {
  const names = experiments.map(({ experiment }) => experiment.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining(['k09-two-by-two', 'swizzle-times', 'k07-search', 'ladder', 'confirm']),
  );
});

it('the page shows the fastest at each size of the committed result', async () => {
  const page = readFileSync(join(root, 'docs/experiments.md'), 'utf8');
  const lines = winnerLines(await readResult(join(root, WINNERS)));
  expect(lines.length).toBeGreaterThan(4);
  expect(page, 'Stale: npm run readme-table writes it.').toBe(withTable(page, lines, 'winners'));
});

it('the page lists them as they are declared', () => {
  const page = readFileSync(join(root, 'docs/experiments.md'), 'utf8');
  expect(page, 'Stale: npm run readme-table writes it.').toBe(
    withTable(page, experimentLines(experiments), 'experiments'),
  );
});

describe.each(experiments.map((found) => ({ name: found.experiment.name, found })))('$name', ({ found }) => {
  it('names kernels that exist and take its sizes', () => {
    const checked = checkExperimentRows(discovery, found);
    expect(checked.rows.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(checked).toMatchObject({ passed: true, notes: [] });
  });

  it('measures no variant under two names', () => {
    const { rows } = checkExperimentRows(discovery, found);
    const single = rows
      .filter(({ ids }) => ids.length === 1)
      .map(({ ids, size }) => `${ids} ${sizeLabel(size)}`);
    expect(new Set(single).size).toBe(single.length);
  });

  it('is reported at 80 columns and as Markdown, from its file', () => {
    const result = fakeExperimentResult(discovery, found, times);
    const again = parseResult(stringifyResult(result));
    expect(again.experiment).toEqual(result.experiment);
    const lines = renderExperiment(result, plain, 80);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(80);
    const text = lines.join('\n').replaceAll(/\s+/g, ' ');
    for (const sentence of result.experiment.conclusions) expect(text).toContain(sentence);
    const markdown = renderExperimentMarkdown(result).join('\n');
    for (const { name } of found.experiment.rows)
      expect(markdown).toMatch(new RegExp(`^\\| ${name}(:|,| \\|)`, 'm'));
  });

  it('gets the charts that it asks for; of those that take a profile it is said how one is made', () => {
    const result = fakeExperimentResult(discovery, found, times);
    const report = reportOf({ inputs: [{ file: 'r.json', result }], leftOut: [] });
    const ids = reportFigures(report).map(({ id }) => id);
    const said = report.sections[0]?.blocks.flatMap((block) => (block.kind === 'list' ? block.items : []));
    for (const { kind } of found.experiment.charts ?? []) {
      if (['stalls', 'opcodes', 'schedulers'].includes(kind))
        expect(said?.join()).toMatch(/ffma profile \S+ /);
      else expect(ids.join()).toContain(`-${kind}`);
    }
  });
});
