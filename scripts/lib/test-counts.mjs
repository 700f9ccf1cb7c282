/**
 * Counts of a test run.
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * Counts the tests in vitest's JSON report. A file that failed without a failed test (it could not be loaded,
 * or a hook threw) counts as one failure, so that nothing red is ever counted as nothing.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @returns {Counts}
 */
export function countTests(report) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of report.testResults) {
    const failedBefore = counts.failed;
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed++;
      else if (test.status === 'failed') counts.failed++;
      else counts.skipped++;
    }
    if (status === 'failed' && counts.failed === failedBefore) counts.failed++;
  }
  return counts;
}

/** The last line of a run: `12 passed, 0 failed`, and `, 1 skipped` if any. @param {Counts} counts */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
