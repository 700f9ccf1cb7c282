import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAnyResult } from '../result/read.js';
import { stringifyResult } from '../result/store.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { halvesOf, recorded } from '../test-support/recorded-halves.js';
import { testIo } from '../test-support/test-io.js';
import { parsePercent } from './commands/compare.js';
import { run } from './run.js';

const result = recorded('h200-2026-11-30.json');
const same = halvesOf(result, 1);
const slow = halvesOf(result, 1, ({ role }) => (role === 'reference' ? 1 : 1.05));

function files() {
  const folder = temporaryFolder({
    'base.json': stringifyResult(same.base),
    'same.json': stringifyResult(same.new),
    'slow.json': stringifyResult(slow.new),
    'other.json': stringifyResult({
      ...result,
      rows: result.rows.map((row) => ({ ...row, id: `${row.id}_x` })),
    }),
    'broken.json': '{ "kind": "bench", ',
  });
  return {
    at: (name: string) => join(folder.path, name),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function ffma(...argv: string[]) {
  const io = testIo();
  return { code: await run(['compare', ...argv], io), stdout: io.stdout.text, stderr: io.stderr.text };
}

test('5 % more time is called slower, and exits with 1 where 3 % are allowed', async () => {
  using folder = files();
  const [base, slower] = [folder.at('base.json'), folder.at('slow.json')];
  expect(await ffma(base, slower)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^9 slower$/m) });
  const gated = await ffma(base, slower, '--fail-on', '3%');
  expect(gated).toMatchObject({ code: 1, stderr: '' });
  expect(gated.stdout.match(/^✗ k0\d.* slower; up to 3\.0 % is allowed\.$/gm)).toHaveLength(9);
  expect((await ffma(base, slower, '--fail-on', '8 %')).code).toBe(0);
  expect((await ffma(slower, base, '--fail-on', '3%')).code).toBe(0);
});

test('two halves of one run are the same, and exit with 0 whatever is asked for', async () => {
  using folder = files();
  const gates = ['--fail-on', '3%', '--fail-on-unclear', '--fail-on-missing'];
  const { code, stdout } = await ffma(folder.at('base.json'), folder.at('same.json'), ...gates);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^9 same$/m);
  expect(stdout).not.toMatch(/✗/);
});

test('a narrower threshold leaves rows unclear, which fail where that is asked for', async () => {
  using folder = files();
  const given = [folder.at('base.json'), folder.at('same.json'), '--threshold', '0.05%'];
  expect((await ffma(...given)).stdout).toMatch(/^\d unclear/m);
  expect((await ffma(...given)).code).toBe(0);
  expect((await ffma(...given, '--fail-on-unclear')).code).toBe(1);
});

test('the comparison is a result file, or JSON instead of the table', async () => {
  using folder = files();
  const given = [folder.at('base.json'), folder.at('slow.json'), '--fail-on', '3%', '--json'];
  const { code, stdout } = await ffma(...given, folder.at('c.json'), '--markdown');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^### ffma compare: 9 slower\n/);
  const written = parseAnyResult(readFileSync(folder.at('c.json'), 'utf8'));
  expect(written).toMatchObject({
    kind: 'comparison',
    rule: { threshold: 0.03, confidence: 0.99, by: 'auto' },
  });
  const printed = JSON.parse((await ffma(...given, '-')).stdout) as object;
  expect(printed).toMatchObject({ kind: 'comparison', failures: expect.objectContaining({ length: 9 }) });
});

test('what cannot be compared exits with 2, and nothing is written', async () => {
  using folder = files();
  const base = folder.at('base.json');
  const cases: [string[], RegExp][] = [
    [[base], /Two results are compared, but 1 is named\./],
    [[base, base, base], /Two results are compared, but 3 are named\./],
    [[base, folder.at('broken.json')], /broken\.json is no JSON: it ends in the middle/],
    [[base, folder.at('other.json')], /no row in common/],
    [[base, base, '--fail-on', 'much'], /--fail-on <percent>' argument 'much' is invalid/],
    [[base, base, '--threshold', '0'], /over 0 and under 100/],
    [[base, base, '--json', join(base, 'c.json')], /c\.json cannot be written/],
    [['--git', 'no-such-revision', base], /is in no git repository|is no revision/],
  ];
  for (const [argv, reason] of cases) {
    const { code, stdout, stderr } = await ffma(...argv);
    expect(stderr).toMatch(reason);
    expect([code, stdout]).toEqual([2, '']);
  }
});

test('a percentage is a number with or without its sign', () => {
  expect(['3%', '3 %', '3', '0.5%', '.5'].map(parsePercent)).toEqual([0.03, 0.03, 0.03, 0.005, 0.005]);
  for (const text of ['', '%', '-3%', '0%', '100%', '3%%', '3e1', 'NaN'])
    expect(() => parsePercent(text)).toThrow();
});
