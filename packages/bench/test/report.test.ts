import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium as browsers, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { themes } from '../src/report/charts/palette.js';
import { findChromium } from '../src/report/export/chromium.js';
import { renderReportHtml } from '../src/report/html/page.js';
import { reportOf } from '../src/report/report.js';
import { inputsOfEveryKind } from '../src/test-support/report-inputs.js';
import { ffma, workspace } from './ffma.js';

const folder = mkdtempSync(join(tmpdir(), 'ffma-report-'));
const page = join(folder, 'report.html');
const hostile = join(folder, 'hostile.html');
const every = join(folder, 'every.html');
const chromium = findChromium();

/** What hooks may take where the machine has other work. */
const BUSY_MS = 120_000;

/** A committed result in which names are markup. */
function hostileResult(): string {
  const evil = `<script>console.error(1)</script><img src=x onerror=console.error(2)>'"</svg></title>&amp;`;
  const result = JSON.parse(readFileSync(join(workspace, 'results/h200-2026-11-30.json'), 'utf8'));
  for (const row of result.rows) if (row.kernel === 'k02') row.kernel = evil;
  result.device.name = evil;
  const file = join(folder, `${evil.replaceAll('/', '')}.json`);
  writeFileSync(file, JSON.stringify(result));
  return file;
}

beforeAll(async () => {
  const made = await ffma([
    'report',
    join(workspace, 'results'),
    '--html',
    page,
    '--csv',
    join(folder, 'r.csv'),
  ]);
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
  expect(made.stdout).toMatch(/report\.html: a page of \d+ result files, \d+ charts/s);
  const inputs = await inputsOfEveryKind();
  writeFileSync(every, await renderReportHtml(reportOf({ inputs, leftOut: [] })));
  expect((await ffma(['report', hostileResult(), '--html', hostile])).code).toBe(0);
}, BUSY_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a page of the committed results is the same bytes each time, and its CSV has a line a row', async () => {
  const again = await ffma(['report', join(workspace, 'results'), '--html', '-']);
  expect(again.stdout === readFileSync(page, 'utf8')).toBe(true);
  const lines = readFileSync(join(folder, 'r.csv'), 'utf8').split('\r\n');
  expect(lines.length).toBeGreaterThan(70);
  expect(again.stdout.length).toBeLessThan(2_000_000);
});

const why = chromium === undefined ? ' (skipped: there is no Chromium here; FFMA_CHROMIUM names one)' : '';

describe.skipIf(chromium === undefined)(`in a browser${why}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    const quiet = [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ];
    browser = await browsers.launch({
      executablePath: chromium as string,
      args: ['--no-sandbox', '--disable-gpu', ...quiet],
    });
  }, BUSY_MS);
  afterAll(() => browser?.close());

  /** Opens a file, and collects what a page must not do: messages of the console and requests. */
  async function open(file: string, options: { width?: number; theme?: 'light' | 'dark' } = {}) {
    const { width = 1280, theme = 'light' } = options;
    const opened = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme });
    const noise: string[] = [];
    opened.on('console', (message) => noise.push(`${message.type()}: ${message.text()}`));
    opened.on('pageerror', (error) => noise.push(String(error)));
    opened.on('dialog', (dialog) => void dialog.dismiss().then(() => noise.push('a dialog')));
    opened.on('request', (request) => {
      if (request.url() !== `file://${encodeURI(file)}`) noise.push(request.url());
    });
    await opened.goto(`file://${file}`);
    return { opened, noise };
  }

  /** Colour of the page's background. */
  const background = (opened: Page) => opened.evaluate('getComputedStyle(document.body).backgroundColor');
  const rgb = (colour: string) =>
    `rgb(${[1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).join(', ')})`;

  const looked = [1280, 390].flatMap((width) => [
    { what: 'the committed results', file: page, theme: 'light' as const, width },
    { what: 'the committed results', file: page, theme: 'dark' as const, width },
    { what: 'every kind of chart', file: every, theme: 'light' as const, width },
  ]);

  test.each(looked)(
    '$what: quiet, without requests, never scrolled sideways; $theme, $width px',
    async ({ file, theme, width }) => {
      const { opened, noise } = await open(file, { theme, width });
      await opened.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      expect(await opened.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await background(opened)).toBe(rgb(themes[theme].paper));
      // Of the two drawings of each chart one is shown, and nothing of it is cut off.
      const shown = await opened.evaluate(`[...document.querySelectorAll('figure')].map((figure) => {
      const pictures = [...figure.querySelectorAll(':scope > svg')].filter((svg) => svg.checkVisibility());
      const { left, right } = pictures[0].getBoundingClientRect();
      const outside = [...pictures[0].querySelectorAll('text')].filter((text) => {
        const box = text.getBoundingClientRect();
        return box.left < left - 1 || box.right > right + 1;
      });
      return [pictures.length, ...outside.map((text) => text.textContent)];
    })`);
      expect(shown).toEqual((shown as unknown[][]).map(() => [1]));
      expect(noise).toEqual([]);
      await opened.close();
    },
  );

  test('names that are markup are text', async () => {
    const { opened, noise } = await open(hostile);
    expect(await opened.title()).toContain('<script>console.error(1)</script>');
    expect(await opened.evaluate("document.querySelectorAll('script, img').length")).toBe(0);
    expect(noise).toEqual([]);
    await opened.close();
  });

  test('the keyboard reaches the way to the results, the colours, and the data under every chart', async () => {
    const { opened } = await open(page);
    const seen = new Set<string>();
    const stops = Number(
      await opened.evaluate('document.querySelectorAll(\'a[href], input, summary, [tabindex="0"]\').length'),
    );
    for (let i = 0; i < stops; i++) {
      await opened.keyboard.press('Tab');
      const at = String(
        await opened.evaluate(
          "(({ tagName, id, className, parentElement }) => tagName === 'SUMMARY' ? parentElement.parentElement.id : tagName + (id || className))(document.activeElement)",
        ),
      );
      if (i === 0) expect(at).toBe('Askip');
      seen.add(at);
    }
    const figures = (await opened.evaluate(
      "[...document.querySelectorAll('figure')].map(({ id }) => id)",
    )) as string[];
    expect(figures.filter((id) => !seen.has(id))).toEqual([]);
    expect(seen).toContain('INPUTtheme-system');
    const first = opened.locator('figure details').first();
    await first.locator('summary').focus();
    await opened.keyboard.press('Enter');
    expect(await first.locator('table').isVisible()).toBe(true);
    await opened.close();
  });

  test('colours can be chosen, paper is light, and nothing moves for who wants that', async () => {
    const { opened } = await open(page, { theme: 'light' });
    await opened.getByLabel('dark', { exact: true }).check();
    expect(await background(opened)).toBe(rgb(themes.dark.paper));
    await opened.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await background(opened)).toBe(rgb(themes.light.paper));
    await opened.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await opened.getByLabel('light', { exact: true }).check();
    expect(await background(opened)).toBe(rgb(themes.light.paper));
    const scrolling = 'getComputedStyle(document.documentElement).scrollBehavior';
    expect(await opened.evaluate(scrolling)).toBe('smooth');
    await opened.emulateMedia({ reducedMotion: 'reduce' });
    expect(await opened.evaluate(scrolling)).toBe('auto');
    await opened.close();
  });

  test('charts are written as PNG, twice as fine as the screen', async () => {
    const charts = join(folder, 'charts');
    const file = join(folder, 'one-size.json');
    const result = JSON.parse(readFileSync(join(workspace, 'results/h200-2026-11-30.json'), 'utf8'));
    const rows = result.rows.filter((row: { problem: { n: number } }) => row.problem.n === 1024);
    writeFileSync(file, JSON.stringify({ ...result, rows }));
    const { code, stdout } = await ffma([
      'report',
      file,
      '--charts',
      charts,
      '--format',
      'png',
      '--theme',
      'dark',
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/charts: 1 chart/) });
    const png = readFileSync(join(charts, 'one-size-1024-rounds.dark.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(1600);
  });
});
