import { MARKS } from '../lib/step.mjs';
import { summaryLine } from '../lib/test-counts.mjs';

/**
 * A run of GPU tests. `fileErrors` are of files that could not be loaded or whose hooks failed.
 * @typedef {{ tests: { file: string, name: string, state: string, note?: string | undefined }[],
 *   fileErrors: number, unhandled: number }} GpuRun
 */

/**
 * What a run comes to: its last lines, and its exit code. Skipped tests are named, with the reason they gave, and with
 * `requireGpu` they are failures. So are, always, tests whose process died, and a run without any test.
 * @param {GpuRun} run
 * @param {boolean} requireGpu
 * @returns {{ lines: string[], code: 0 | 1 }}
 */
export function outcome({ tests, fileErrors, unhandled }, requireGpu) {
  /** @param {string} state */
  const all = (state) => tests.filter((test) => test.state === state);
  const [skipped, pending] = [all('skipped'), all('pending')];
  /** @type {string[]} */
  const lines = [];
  /** @param {string} title @param {string} mark @param {GpuRun['tests']} named */
  const list = (title, mark, named) => {
    if (named.length === 0) return;
    lines.push(title);
    for (const { file, name, note } of named)
      lines.push(`  ${mark} ${file}: ${name}${note ? ` (${note})` : ''}`);
    lines.push('');
  };
  list('Not finished, since their process died:', MARKS.failed, pending);
  const title = requireGpu ? 'Skipped, where FFMA_REQUIRE_GPU=1 allows none:' : 'Skipped:';
  list(title, requireGpu ? MARKS.failed : MARKS.skipped, skipped);
  if (tests.length === 0) lines.push('No GPU test was found.', '');
  const passed = all('passed').length;
  const failed = all('failed').length + pending.length + fileErrors + unhandled;
  const counts = requireGpu
    ? { passed, failed: failed + skipped.length, skipped: 0 }
    : { passed, failed, skipped: skipped.length };
  lines.push(summaryLine(counts));
  return { lines, code: counts.failed > 0 || tests.length === 0 ? 1 : 0 };
}
