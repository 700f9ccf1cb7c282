import { MARKS } from '../lib/step.mjs';
import { wrap } from '../lib/terminal.mjs';
import { summaryLine } from '../lib/test-counts.mjs';

/**
 * A test that has ended. `note`: why it was skipped, as a sentence. `lacks`: what the host lacks beside a GPU, where
 * that is why.
 * @typedef {{ file: string, name: string, state: string, note?: string | undefined,
 *   lacks?: string | undefined }} GpuTest
 */

/**
 * A run of GPU tests. `fileErrors` are of files that could not be loaded or whose hooks failed.
 * @typedef {{ tests: GpuTest[], fileErrors: number, unhandled: number }} GpuRun
 */

/** As many tests of one file are named for one reason; a kernel's conformance alone can have hundreds. */
const NAMED = 12;

/**
 * @param {readonly GpuTest[]} tests
 * @param {(test: GpuTest) => string} keyOf
 * @returns {[string, GpuTest[]][]} in the order of their first tests
 */
function grouped(tests, keyOf) {
  /** @type {Map<string, GpuTest[]>} */
  const groups = new Map();
  for (const test of tests) groups.set(keyOf(test), [...(groups.get(keyOf(test)) ?? []), test]);
  return [...groups];
}

/** @param {string} mark @param {readonly GpuTest[]} tests */
function named(mark, tests) {
  return grouped(tests, ({ file }) => file).flatMap(([file, own]) => [
    ...own.slice(0, NAMED).map(({ name }) => `  ${mark} ${file}: ${name}`),
    ...(own.length > NAMED ? [`  ${mark} ${file}: ${own.length - NAMED} more, which --list names too`] : []),
  ]);
}

/** Each reason once, and the tests that gave it. @param {string} mark @param {readonly GpuTest[]} tests */
function byReason(mark, tests) {
  return grouped(tests, ({ note }) => note ?? 'They do not say why.').flatMap(([reason, own]) => [
    wrap(reason, 2),
    ...named(mark, own),
  ]);
}

/** @param {string} title @param {readonly string[]} lines */
const section = (title, lines) => (lines.length === 0 ? [] : [title, ...lines, '']);

/**
 * What a run comes to: its last lines, and its exit code. Skipped tests are named under the reason they gave, and with
 * `requireGpu` they are failures, but for those for which the host lacks something else. So are, always, tests whose
 * process died, and a run without any test.
 * @param {GpuRun} run
 * @param {boolean} requireGpu
 * @returns {{ lines: string[], code: 0 | 1 }}
 */
export function outcome({ tests, fileErrors, unhandled }, requireGpu) {
  /** @param {string} state */
  const all = (state) => tests.filter((test) => test.state === state);
  const pending = all('pending');
  const apart = all('skipped').filter(({ lacks }) => lacks !== undefined);
  const skipped = all('skipped').filter(({ lacks }) => lacks === undefined);
  const missed = requireGpu ? skipped.length : 0;
  const counts = {
    passed: all('passed').length,
    failed: all('failed').length + pending.length + fileErrors + unhandled + missed,
    skipped: skipped.length + apart.length - missed,
  };
  const title = requireGpu ? 'Skipped, where FFMA_REQUIRE_GPU=1 allows none:' : 'Skipped:';
  const mark = requireGpu ? MARKS.failed : MARKS.skipped;
  const lines = [
    ...section('Not finished, since their process died:', named(MARKS.failed, pending)),
    ...section('Left out, for what this host lacks beside a GPU:', byReason(MARKS.skipped, apart)),
    ...section(title, byReason(mark, skipped)),
    ...(tests.length === 0 ? ['No GPU test was found.', ''] : []),
    summaryLine(counts),
  ];
  return { lines, code: counts.failed > 0 || tests.length === 0 ? 1 : 0 };
}
