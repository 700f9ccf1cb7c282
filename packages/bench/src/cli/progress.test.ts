import { expect, test } from 'vitest';
import { testIo } from '../test-support/test-io.js';
import { progressOn } from './progress.js';

test('the time left is that of the work where it is known, not that of steps alone', () => {
  const io = testIo({ isTTY: true });
  let time = 0;
  using progress = progressOn(io.stderr, () => time);
  time = 5000;
  progress.show({ done: 1, total: 4, label: 'steps' });
  time = 6000;
  progress.show({ done: 2, total: 4, label: 'work', leftMs: 90_000 });
  expect(io.stderr.text).toMatch(/1\/4, 15 s left {2}steps[\s\S]*2\/4, 1 min 30 s left {2}work/);
});
