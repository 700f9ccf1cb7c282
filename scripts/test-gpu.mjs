// Runs the GPU tests, in the workspace or in a bundle: npm run test:gpu -- [files] [-t name] [--list]
// FFMA_REQUIRE_GPU=1 turns tests that are skipped for want of a GPU into failures.
// The last line is always `N passed, N failed`.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { gpuProject } from './gpu/gpu-project.mjs';
import { outcome } from './gpu/outcome.mjs';
import LineReporter from './lib/vitest-reporter.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const usage = `Usage: test-gpu [files...] [-t <pattern>] [--list]

  files          only test files whose path contains one of these
  -t <pattern>   only tests whose name matches
  --list         name the tests, run none

FFMA_REQUIRE_GPU=1 turns tests that are skipped for want of a GPU into failures.
`;

function options() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        list: { type: 'boolean', default: false },
        testNamePattern: { type: 'string', short: 't', default: '' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { list, testNamePattern: pattern, help } = values;
    if (!help) return { list, pattern: new RegExp(pattern), files: positionals };
    process.stdout.write(usage);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
  process.exit(0);
}

/**
 * Ends the process when all that was written has left it: a pipe takes long lists piece by piece.
 * @param {number} code
 */
async function end(code) {
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit(code);
}

const { list, pattern, files } = options();
const vitest = await createVitest('test', {
  ...gpuProject,
  root,
  config: false,
  watch: false,
  reporters: list ? [] : [new LineReporter()],
  ...(pattern.source === '(?:)' ? {} : { testNamePattern: pattern }),
});
/** @type {Pick<import('vitest/node').TestRunResult, 'testModules' | 'unhandledErrors'>} */
const { testModules, unhandledErrors } = await (list ? vitest.collect(files) : vitest.start(files)).catch(
  (error) => {
    if (error.code !== 'VITEST_FILES_NOT_FOUND') throw error;
    return { testModules: [], unhandledErrors: [] };
  },
);

/** @typedef {import('vitest/node').TestCase} TestCase */
/** vitest counts tests that the pattern leaves out as skipped; nobody asked for them. @param {TestCase} test */
const asked = ({ fullName }) => pattern.test(fullName.replaceAll(' > ', ' '));

/** @param {TestCase} test */
function described(test) {
  const result = test.result();
  const { reason, lacks } = /** @type {{ reason?: string, lacks?: string }} */ (test.meta());
  return {
    file: test.module.relativeModuleId.replace(/^packages\//, ''),
    name: test.fullName,
    state: result.state,
    note: result.state === 'skipped' ? (result.note ?? reason) : undefined,
    lacks,
  };
}

const tests = testModules.flatMap((module) => [...module.children.allTests()].filter(asked).map(described));
if (list) {
  const errors = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors];
  for (const { file, name } of tests) process.stdout.write(`${file}: ${name}\n`);
  for (const error of errors) process.stderr.write(`${/** @type {Error} */ (error).stack ?? error}\n`);
  await end(errors.length > 0 ? 1 : 0);
}
await vitest.close();
const fileErrors = testModules.filter(
  (module) => module.state() === 'failed' && [...module.children.allTests('failed')].length === 0,
).length;
const run = { tests, fileErrors, unhandled: unhandledErrors.length };
const { lines, code } = outcome(run, process.env.FFMA_REQUIRE_GPU === '1');
process.stdout.write(`\n${lines.join('\n')}\n`);
await end(code);
