import { expect, it } from 'vitest';
import { countTests, summaryLine } from './test-counts.mjs';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

it('adds up the tests of all files', () => {
  const testResults = [file('passed', 'passed', 'pending'), file('failed', 'passed', 'failed', 'failed')];
  expect(countTests({ testResults })).toEqual({ passed: 2, failed: 2, skipped: 1 });
});

it('counts a file that could not be loaded as a failure', () => {
  expect(countTests({ testResults: [file('failed')] })).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

it('counts a failed hook as a failure where every test passed', () => {
  expect(countTests({ testResults: [file('failed', 'passed')] })).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  });
});

it('names skipped tests only where there are any', () => {
  expect(summaryLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  expect(summaryLine({ passed: 12, failed: 3, skipped: 1 })).toBe('12 passed, 3 failed, 1 skipped');
});
