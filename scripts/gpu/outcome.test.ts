import { expect, it } from 'vitest';
import { outcome } from './outcome.mjs';

const test = (name: string, state: string, note?: string) => ({
  file: 'core/test/gpu/a.test.ts',
  name,
  state,
  note,
});
const quiet = { fileErrors: 0, unhandled: 0 };

it('counts and names skipped tests, with their reason, and is content', () => {
  const tests = [test('adds', 'passed'), test('copies', 'skipped', 'no GPU')];
  const { lines, code } = outcome({ tests, ...quiet }, false);
  expect(lines.slice(0, 3)).toEqual(['Skipped:', '  no GPU', '  ↓ core/test/gpu/a.test.ts: copies']);
  expect([lines.at(-1), code]).toEqual(['1 passed, 0 failed, 1 skipped', 0]);
});

it('takes skipped tests for failures where a GPU is required', () => {
  const tests = [test('adds', 'passed'), test('copies', 'skipped', 'no GPU')];
  const { lines, code } = outcome({ tests, ...quiet }, true);
  expect(lines[0]).toMatch(/FFMA_REQUIRE_GPU=1/);
  expect([lines.at(-1), code]).toEqual(['1 passed, 1 failed', 1]);
});

it('names a reason once, within 80 columns, and of very many tests of a file the first', () => {
  const reason = `${'It is the same for all. '.repeat(10)}`.trim();
  const tests = Array.from({ length: 40 }, (_, i) => test(`number ${i}`, 'skipped', reason));
  const { lines } = outcome({ tests, ...quiet }, false);
  const text = lines.join('\n');
  expect(text.match(/It is/g)).toHaveLength(10);
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(text).toContain('number 11\n  ↓ core/test/gpu/a.test.ts: 28 more, which --list names too');
  expect(lines.at(-1)).toBe('0 passed, 0 failed, 40 skipped');
});

it('counts what the host lacks beside a GPU apart, also where a GPU is required', () => {
  const apart = { ...test('compiles', 'skipped', 'There is no nvcc.'), lacks: 'nvcc' };
  const { lines, code } = outcome({ tests: [test('adds', 'passed'), apart], ...quiet }, true);
  expect(lines[0]).toMatch(/lacks beside a GPU/);
  expect(lines).toContain('  ↓ core/test/gpu/a.test.ts: compiles');
  expect([lines.at(-1), code]).toEqual(['1 passed, 0 failed, 1 skipped', 0]);
});

it('takes tests whose process died, broken files and errors outside of tests for failures', () => {
  const tests = [test('adds', 'passed'), test('dies', 'pending')];
  const { lines, code } = outcome({ tests, fileErrors: 1, unhandled: 1 }, false);
  expect(lines).toContain('  ✗ core/test/gpu/a.test.ts: dies');
  expect([lines.at(-1), code]).toEqual(['1 passed, 3 failed', 1]);
});

it('does not take a run of nothing for a success', () => {
  expect(outcome({ tests: [], ...quiet }, false).code).toBe(1);
});
