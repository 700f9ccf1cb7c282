import { DefaultReporter } from 'vitest/node';
import { line, MARKS } from './step.mjs';

/** One line a test file, as steps have; then, as usual, every failure in full. */
export default class LineReporter extends DefaultReporter {
  /**
   * @override
   * @param {import('vitest/node').TestModule} module
   */
  printTestModule(module) {
    const state = module.state();
    if (state === 'queued' || state === 'pending') return;
    const tests = [...module.children.allTests()];
    const failed = tests.filter((test) => test.result().state === 'failed').length;
    const name = module.relativeModuleId.replace(/^packages\//, '');
    const counts = failed > 0 ? `${failed} of ${tests.length} failed` : `${tests.length}`;
    // Tests that find out themselves that they cannot run leave their file passed.
    const skipped = tests.length > 0 && tests.every((test) => test.result().state === 'skipped');
    const mark =
      state === 'failed' ? MARKS.failed : skipped || state === 'skipped' ? MARKS.skipped : MARKS.passed;
    this.log(line(mark, `${name} (${counts})`, module.diagnostic().duration));
  }
}
