import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringifyResult } from '../result/store.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { testIo } from '../test-support/test-io.js';
import { timedBench } from '../test-support/timed-bench.js';
import { run } from './run.js';

const { result } = await timedBench();
const text = stringifyResult(result);

/** `ffma report` in a folder with results `a.json` and `b.json`; words that begin with `./` are files there. */
async function report(argv: readonly string[], { files = {}, env = {} } = {}) {
  using folder = temporaryFolder({ 'a.json': text, 'b.json': text, ...files });
  const at = (word: string) => (word.startsWith('./') ? join(folder.path, word.slice(2)) : word);
  const io = testIo({ env });
  const code = await run(['report', ...argv.map(at)], io);
  const read = (name: string) => readFileSync(join(folder.path, name), 'utf8');
  const there = readdirSync(folder.path, { recursive: true }).map(String).sort();
  const plain = (words: string) => words.replaceAll(`${folder.path}/`, '').replaceAll(/\s+/g, ' ');
  const contents = new Map(
    there.filter((name) => /\.(html|csv|svg)$/.test(name)).map((name) => [name, read(name)]),
  );
  return {
    code,
    stdout: plain(io.stdout.text),
    raw: io.stdout.text,
    stderr: plain(io.stderr.text),
    there,
    contents,
  };
}

describe('ffma report', () => {
  it('shows results again, one after the other, each under its file', async () => {
    const one = await report(['./a.json']);
    const two = await report(['./a.json', './b.json']);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(one.stdout).toContain('% of lib');
    const [, first, second] = two.raw.split(/^.*\/[ab]\.json$/m);
    expect(first?.trim()).toBe(one.raw.trim());
    expect(second?.trim()).toBe(one.raw.trim());
  });

  it('writes a page, CSV and pictures, and says what is in them and what is not', async () => {
    const argv = ['./a.json', '--html', './r.html', '--csv', './r.csv', '--charts', './charts'];
    const { code, stdout, stderr, there, contents } = await report(argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(there.filter((name) => name !== 'charts')).toEqual([
      'a.json',
      'b.json',
      'charts/a-8-rounds.light.svg',
      'r.csv',
      'r.html',
    ]);
    expect(stdout).toContain('r.html: a page of 1 result file, 1 chart');
    expect(stdout).toContain('r.csv: 3 rows');
    expect(stdout).toContain('ffma profile --json profile.json');
    expect(contents.get('r.html')).toMatch(/^<!doctype html>/);
    const svg = contents.get('charts/a-8-rounds.light.svg') ?? '';
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain(result.device.name);
    expect(svg).not.toContain('var(--');
  });

  it('draws pictures in the theme that is asked for', async () => {
    const { contents } = await report(['./a.json', '--charts', './c', '--theme', 'dark']);
    expect([...contents.keys()]).toEqual(['c/a-8-rounds.dark.svg']);
    expect(contents.get('c/a-8-rounds.dark.svg')).toContain('fill="#14171c"');
  });

  it('prints Markdown, which shows the charts that were written, CSV, HTML or JSON', async () => {
    expect((await report(['./a.json', '--markdown'])).raw).toContain('| kernel | µs | TFLOP/s |');
    const both = await report(['./a.json', '--markdown', '--charts', './charts']);
    expect(both.raw).toMatch(/!\[Round by round.*\]\(.*charts\/a-8-rounds\.light\.svg\)/);
    expect((await report(['./a.json', '--csv', '-'])).raw).toMatch(/^file,created_at,.*\r\n/);
    expect((await report(['./a.json', '--html', '-'])).raw).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    const json = JSON.parse((await report(['./a.json', '--json'])).raw);
    expect(json).toMatchObject({ title: expect.any(String), sections: [{ id: 'a' }], rows: [{}, {}, {}] });
  });

  it('warns of what is wrong in the results, and of files that are none', async () => {
    const broken = JSON.stringify({ ...JSON.parse(text), interrupted: true });
    const { stdout } = await report(['./', '--html', './r.html'], {
      files: { 'c.json': broken, 'd.json': '{' },
    });
    expect(stdout).toMatch(/warning c\.json: It was interrupted/);
    expect(stdout).toMatch(/warning d\.json: It is left out: .*no JSON/);
  });

  it.each<[readonly string[], RegExp]>([
    [['./gone.json'], /gone\.json cannot be read: there is no such file/],
    [['./a.json', '--markdown', '--csv', '-'], /--markdown and --csv - both go to standard output/],
    [['./a.json', '--theme', 'dark'], /--theme is about --charts, which is not asked for/],
    [['./a.json', '--format', 'svg'], /--format is about --charts/],
    [['./a.json', '--html', './no/such/r.html'], /r\.html cannot be written: ENOENT/],
    [['./a.json', '--html', './r.html', '--csv', './'], /cannot be written: it is a folder/],
  ])('refuses %j before anything is written', async (argv, message) => {
    const { code, stderr, there } = await report(argv);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(there).toEqual(['a.json', 'b.json']);
  });

  it('refuses PNG where there is no browser, with the remedy, before anything is written', async () => {
    const argv = ['./a.json', '--html', './r.html', '--charts', './charts', '--format', 'png'];
    for (const env of [{ PATH: '' }, { PATH: process.env.PATH, FFMA_CHROMIUM: '/nowhere/chromium' }]) {
      const { code, stderr, there } = await report(argv, { env });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /PNG is drawn by a browser, but .* Install Chromium, set FFMA_CHROMIUM .* or use --format svg\./,
      );
      expect(there).toEqual(['a.json', 'b.json']);
    }
  });
});

it('loads what draws charts only when one is drawn', () => {
  const folder = new URL('../report/', import.meta.url).pathname;
  const sources = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const eager = sources.filter((name) =>
    /^import (?!type).*from '(@observablehq\/plot|linkedom)'/m.test(readFileSync(join(folder, name), 'utf8')),
  );
  expect(existsSync(join(folder, 'charts/drawing.ts'))).toBe(true);
  expect(eager).toEqual([]);
});
