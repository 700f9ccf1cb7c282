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
  expect(lines).toContain('  ↓ core/test/gpu/a.test.ts: copies (no GPU)');
  expect([lines.at(-1), code]).toEqual(['1 passed, 0 failed, 1 skipped', 0]);
});

it('takes skipped tests for failures where a GPU is required', () => {
  const tests = [test('adds', 'passed'), test('copies', 'skipped', 'no GPU')];
  const { lines, code } = outcome({ tests, ...quiet }, true);
  expect(lines[0]).toMatch(/FFMA_REQUIRE_GPU=1/);
  expect([lines.at(-1), code]).toEqual(['1 passed, 1 failed', 1]);
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
