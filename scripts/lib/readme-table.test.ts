import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchResult } from '@ffma/bench';
import { afterAll, describe, expect, it } from 'vitest';
import { newestResult, unfit, withTable } from './readme-table.mjs';

const folder = mkdtempSync(join(tmpdir(), 'ffma-table-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the newest result', () => {
  it('is the last by name of those of an H200', () => {
    const results = join(folder, 'results');
    mkdirSync(results);
    for (const name of [
      'h200-2026-11-30.json',
      'h200-2026-12-01.json',
      'h200-ladder.json',
      'l4-2027-01-01.json',
      'h200-notes.md',
    ])
      writeFileSync(join(results, name), '{}');
    expect(newestResult(results)).toBe('h200-2026-12-01.json');
  });

  it('is undefined where there is none', () => {
    expect(newestResult(join(folder, 'nowhere'))).toBeUndefined();
  });
});

describe('a page', () => {
  const page = 'before\n\n<!-- speed -->\nold\n<!-- /speed -->\n\nafter\n';

  it('gets the lines between its comments, and keeps all else', () => {
    expect(withTable(page, ['| a |', '| - |'])).toBe(
      'before\n\n<!-- speed -->\n\n| a |\n| - |\n\n<!-- /speed -->\n\nafter\n',
    );
  });

  it('stays as it is when it is written again, and can be emptied', () => {
    const once = withTable(page, ['| a |']);
    expect(withTable(once, ['| a |'])).toBe(once);
    expect(withTable(once, [])).toBe('before\n\n<!-- speed -->\n<!-- /speed -->\n\nafter\n');
  });

  it('may have several tables', () => {
    const two = `${page}<!-- ladder -->\n<!-- /ladder -->\n`;
    expect(withTable(two, ['| b |'], 'ladder')).toBe(`${page}<!-- ladder -->\n\n| b |\n\n<!-- /ladder -->\n`);
  });

  it('without its comments is refused', () => {
    expect(() => withTable('nothing', [])).toThrow(/must have the lines <!-- speed -->/);
    expect(() => withTable('<!-- /speed --><!-- speed -->', [])).toThrow(/in this order/);
  });
});

describe('a result', () => {
  const row = (parts: object) => ({
    id: 'k_1',
    asked: true,
    correctness: { status: 'passed' },
    times: {},
    ...parts,
  });
  const result = (parts: object) =>
    ({ rows: [row({ role: 'reference' }), row({})], ...parts }) as BenchResult;

  it('that is whole and right is shown', () => {
    expect(unfit(result({}))).toBeUndefined();
  });

  it.each([
    [{ interrupted: true }, /interrupted/],
    [{ rows: [row({ role: 'reference', times: undefined })] }, /no times/],
    [{ rows: [row({})] }, /no reference/],
    [{ experiment: { name: 'ladder' } }, /of the experiment ladder, not of none/],
    [{ rows: [row({ role: 'reference' }), row({ correctness: { status: 'failed' } })] }, /k_1 is wrong/],
  ])('%# is not', (parts, reason) => {
    expect(unfit(result(parts))).toMatch(reason);
  });
});
