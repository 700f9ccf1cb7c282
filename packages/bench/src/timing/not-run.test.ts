import { expect, test } from 'vitest';
import { renderBench, renderBenchMarkdown } from '../render/bench.js';
import { plain } from '../render/style.js';
import { resultSchema } from '../result/schema.js';
import { timedBench as bench, usual } from '../test-support/timed-bench.js';

test('what could not be loaded or launched is not run, which is another thing than wrong', async () => {
  const { result, row } = await bench({
    kernels: {
      ...usual,
      k01: { failsToLoad: 'its module is for another GPU' },
      k03: { error: 1 },
      k04: { failsToLaunch: 'too many resources' },
    },
    device: { times: { lib: () => 60, k02: () => 50 } },
  });
  expect(resultSchema.safeParse(result).success).toBe(true);
  for (const name of ['k01', 'k04'])
    expect(row(name).correctness).toMatchObject({ status: 'failed', ran: false, gates: [] });
  for (const name of ['lib', 'k02', 'k03']) expect(row(name).correctness).not.toHaveProperty('ran');
  for (const text of [renderBench(result, plain, 200), renderBenchMarkdown(result)]) {
    expect(text).toContainEqual(expect.stringMatching(/not run {2}k01 8³: .*its module is for another GPU/));
    expect(text).toContainEqual(expect.stringMatching(/not run {2}k04 8³: .*too many resources/));
    expect(text).toContainEqual(expect.stringMatching(/wrong {2}k03 8³: /));
    expect(text.join('\n')).not.toMatch(/wrong {2}k0[14]/);
  }
});
