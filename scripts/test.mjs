// All checks, from a clean clone: install, build, typecheck, lint, then the tests that need no GPU.
// Arguments are passed to vitest, e.g. npm test -- packages/core
// The last line is always `N passed, N failed`; the exit code is 0 only if nothing failed.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, toolEnvironment, turbo } from './lib/prepare.mjs';
import { run } from './lib/run.mjs';
import { step } from './lib/step.mjs';
import { countTests, summaryLine } from './lib/test-counts.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** @param {string} name */
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Runs vitest and shows its output as it comes. */
async function runTests() {
  const report = join(root, '.ffma', 'test-report.json');
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const { code } = await run(
    bin('vitest'),
    [
      ...['run', '--project', 'unit', '--project', 'emulator'],
      `--reporter=${join(root, 'scripts', 'lib', 'vitest-reporter.mjs')}`,
      ...['--reporter=json', `--outputFile.json=${report}`],
      ...process.argv.slice(2),
    ],
    { cwd: root, env: toolEnvironment(root), output: 'inherit' },
  );
  try {
    return { code, counts: countTests(JSON.parse(readFileSync(report, 'utf8'))) };
  } catch (error) {
    process.stdout.write(`vitest left no report: ${error instanceof Error ? error.message : error}\n`);
    return { code: code || 1, counts: { passed: 0, failed: 0, skipped: 0 } };
  }
}

/** @returns {Promise<import('./lib/test-counts.mjs').Counts>} */
async function main() {
  const failure = { passed: 0, failed: 1, skipped: 0 };
  if (!(await prepare(root))) return failure;
  const checks = [
    await step('Check types', () => turbo(root, ['typecheck', 'typecheck:workspace'])),
    await step('Check style', () => run(bin('biome'), ['check', '.'], { cwd: root })),
  ];
  const { code, counts } = await runTests();
  const failedChecks = checks.filter((ok) => !ok).length;
  // A run can fail with every test green, e.g. by an unhandled rejection.
  const unseen = code !== 0 && counts.failed === 0 ? 1 : 0;
  return { ...counts, failed: counts.failed + failedChecks + unseen };
}

// What is cut short has not passed.
process.exitCode = 1;
const counts = await main();
process.stdout.write(`\n${summaryLine(counts)}\n`);
process.exit(counts.failed === 0 ? 0 : 1);
