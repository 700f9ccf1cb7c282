import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discoverKernels, type ExperimentResult, findExperiment, stringifyResult } from '@ffma/bench';
import { afterAll, describe, expect, it } from 'vitest';
import { withTables } from '../scripts/lib/readme-table.mjs';
import { type FakeTime, fakeExperimentResult } from './fake-experiment.js';
import { root } from './workspace.js';

const page = readFileSync(join(root, 'README.md'), 'utf8');

it('shows the newest committed results, and nothing that was not measured', async () => {
  const { text } = await withTables(page, join(root, 'results'));
  expect(page, 'Stale: npm run readme-table writes it.').toBe(text);
});

describe('with results of the experiments', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ffma-readme-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // cuBLAS takes 100 µs at every size; what is faster or slower is said by id.
  const times: Readonly<Record<string, number>> = {
    cublas: 100,
    k08_128x64x8_s4: 125,
    k13_f_128x64x16_tagged: 80,
    k14_128x128x8_s3: 90,
    k14_f_128x128x8_s3: 50, // the ladder's k14 is generic
  };
  const time: FakeTime = (id) => times[id] ?? 200;

  async function made(name: string): Promise<ExperimentResult> {
    const discovery = await discoverKernels(root);
    return fakeExperimentResult(discovery, findExperiment(discovery, name), time);
  }

  async function tables(files: Readonly<Record<string, ExperimentResult>>) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    for (const [file, result] of Object.entries(files))
      writeFileSync(join(folder, file), stringifyResult(result));
    return withTables(page, folder);
  }

  it('shows the ladder, each step by its fastest variant beside what was published', async () => {
    const { text, files, notShown } = await tables({ 'h200-ladder.json': await made('ladder') });
    expect(files).toEqual(['results/h200-ladder.json']);
    expect(text).toContain('| ladder | what it is | 1024³ | 2048³ | 4096³ |');
    expect(text).toContain('| k01 | one output a thread | 50.0 % |  |  |');
    expect(text).toContain('| k08 | asynchronous copies | 80.0 % (89) | 80.0 % (81) | 80.0 % (81) |');
    expect(text).toMatch(/^\| k13 \| .* \| 125\.0 %† \(98\) \| 125\.0 %† \(96\) \| 125\.0 %† \(96\) \|$/m);
    expect(text).toContain('| k14 | Stream-K | 111.1 % (107) | 111.1 % (92) | 111.1 % (94) |');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /† with the sizes compiled in\. Median of 15 alternating rounds/,
    );
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /on H100, the best of a sweep unless .*\(k07: by the authors/,
    );
    expect(text.replaceAll(/\s+/g, ' ')).toContain('[all figures](results/h200-ladder.json)');
    expect(notShown).toContainEqual(
      'There is no results/h200-confirm.json. ' +
        'npx ffma experiment run confirm --device cuda --json results/h200-confirm.json writes it.',
    );
    expect((await withTables(text, folder)).text).toBe(text);
  });

  it('shows the confirmation, generic apart from specialised', async () => {
    const { text } = await tables({ 'h200-confirm.json': await made('confirm') });
    expect(text).toMatch(/^\| k14 \| .* \| 111\.1 % \| 111\.1 % \(105\.3 fixed\) \| /m);
    expect(text).toMatch(/^\| generic \| .* \| 111\.1 % \| 111\.1 % \| 111\.1 % \| 111\.1 % \(93\.9\) \| /m);
    expect(text).toMatch(/^\| specialised \| .* \| 125\.0 %† \| .* \| 125\.0 %† \(95\.4\) \| /m);
  });

  it('shows no result of another experiment, and none that is wrong or cut short', async () => {
    const ladder = await made('ladder');
    const [first, ...rest] = ladder.rows;
    const failed = { ...first!, correctness: { ...first!.correctness, status: 'failed' as const } };
    const cases: [ExperimentResult, RegExp][] = [
      [await made('confirm'), /It is of the experiment confirm, not of ladder\.$/],
      [{ ...ladder, interrupted: true as const }, /It was interrupted/],
      [{ ...ladder, rows: [failed, ...rest] }, /is wrong in it\.$/],
    ];
    for (const [result, reason] of cases) {
      const { text, files, notShown } = await tables({ 'h200-ladder.json': result });
      expect(files).toEqual([]);
      expect(notShown).toContainEqual(expect.stringMatching(reason));
      expect(text).not.toContain('| ladder | what it is');
    }
  });
});
