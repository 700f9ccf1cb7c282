import { describe, expect, it } from 'vitest';
import type { BenchResult } from '../../result/schema.js';
import { pageFaults } from '../../test-support/page-faults.js';
import { inputsOfEveryKind } from '../../test-support/report-inputs.js';
import { reportOf } from '../report.js';
import { renderReportHtml } from './page.js';

const inputs = await inputsOfEveryKind();
const page = await renderReportHtml(reportOf({ inputs, leftOut: [] }));
/** Of one file, since every fault is looked for in all of a page. */
const small = await renderReportHtml(reportOf({ inputs: inputs.slice(0, 1), leftOut: [] }));

/** A page with a part written otherwise. */
function changed(from: string | RegExp, to: string): string {
  const html = small.replace(from, to);
  expect(html).not.toBe(small);
  return html;
}

describe('the page of a report', () => {
  it('has what everybody needs who reads it with eyes, ears or keys, and loads nothing', () => {
    expect(pageFaults(page)).toEqual([]);
    expect(page.match(/<figure /g)?.length).toBeGreaterThanOrEqual(20);
  });

  it.each<[string, string | RegExp, string, RegExp]>([
    ['an id twice', /<figure id="[^"]*"/, '<figure id="main"', /id main is there twice/],
    ['a heading too deep', /<h3 /, '<h5 ', /skips a level/],
    ['no description', /<desc[^>]*>[^<]*<\/desc>/, '', /has no description|names .*which is not there/],
    ['no role', 'role="img" ', '', /has no role="img"/],
    ['no caption', /<caption>[^<]*<\/caption>/, '', /has no caption/],
    [
      'no head of a row',
      /<tbody><tr><th scope="row">([^<]*)<\/th>/,
      '<tbody><tr><td>$1</td>',
      /has no head$/,
    ],
    ['no data', /<details>[\s\S]*?<\/details>/, '', /does not show its data/],
    ['no label', /<label>(<input [^>]*>)[^<]*<\/label>/, '$1', /has no label/],
    ['no way to skip', 'class="skip"', '', /There is no a\.skip/],
    ['a script', '</main>', '<script>1</script></main>', /<script> .*is there/],
    ['a style of its own', '<p>', '<p style="color:red">', /has a style of its own/],
    ['an address', '<p>', '<p><a href="https://x.test">x</a>', /leads out of the page/],
    ['a handler', '<p>', '<p onclick="x()">', /attribute is a script: onclick/],
    ['a lax policy', "default-src 'none'", "default-src 'self'", /does not forbid everything/],
  ])('is checked: %s is found', (_, from, to, fault) => {
    expect(pageFaults(changed(from, to)).join('\n')).toMatch(fault);
  });

  it('says first what is wrong, and at the end what is not in it and what made it', () => {
    const order = [
      'id="warnings"',
      'slower by more than 3',
      'id="bench"',
      'id="missing"',
      'ffma bench',
      'id="provenance"',
    ];
    const places = order.map((part) => page.indexOf(part));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((x, y) => x - y));
  });

  it('is the same, byte by byte, whenever it is made', async () => {
    expect(await renderReportHtml(reportOf({ inputs, leftOut: [] }))).toBe(page);
    const copied = structuredClone(inputs);
    expect(await renderReportHtml(reportOf({ inputs: copied, leftOut: [] }))).toBe(page);
  });

  it('shows names that are markup as text, wherever they come from', async () => {
    const evil = `<script>alert(1)</script><img src=x onerror="alert(2)">&amp;"'`;
    const result = inputs[0]?.result as BenchResult;
    const rows = result.rows.map((row) =>
      row.kernel === 'k02'
        ? { ...row, kernel: `k02${evil}`, id: `k02${evil}`, unranked: `Because ${evil}` }
        : row,
    );
    const device = { ...result.device, name: `GPU ${evil}` };
    const report = reportOf({
      inputs: [{ file: `a/${evil}.json`, result: { ...result, rows, device } }],
      leftOut: [{ file: evil, text: evil }],
    });
    const html = await renderReportHtml(report);
    expect(pageFaults(html)).toEqual([]);
    expect(html).not.toMatch(/<script|<img/i);
    expect(html.split('&lt;script&gt;alert(1)&lt;/script&gt;').length).toBeGreaterThan(10);
  });
});
