import { expect, test } from 'vitest';
import { kernelSpeed } from '../scripts/speed/emulated.mjs';

// Far from what is reached, which `npm run speed` prints: a loop that became ten times slower fails, a busy machine not.
test.each([
  ['k11', 'relaxed', 160e6],
  ['k11', 'f64', 60e6],
  ['k03', 'f64', 40e6],
] as const)(
  '%s by %s FMA, checks off: a fifth of what it should do, at least',
  async (kernel, fma, least) => {
    const { perSecond } = await kernelSpeed(kernel, { fma, checks: false }, { n: 256 });
    expect(perSecond).toBeGreaterThan(least);
  },
);

test('k14, the largest, is translated in less than 15 seconds of processor time, and at once from the cache', async () => {
  const options = { fma: 'f64', checks: true } as const;
  const fresh = await kernelSpeed('k14', { ...options, cache: false }, { n: 128, count: 1 });
  expect(fresh.firstMs).toBeLessThan(15_000);
  await kernelSpeed('k14', options, { n: 128, count: 1 });
  const cached = await kernelSpeed('k14', options, { n: 128, count: 1 });
  expect(cached.firstMs).toBeLessThan(5000);
});

test('memory of the process stays far under a gigabyte for a product of 1024', async () => {
  await kernelSpeed('k11', { fma: 'relaxed', checks: true }, { n: 1024, count: 1 });
  expect(process.memoryUsage().rss).toBeLessThan(4 * 3 * 4 * 1024 ** 2 + 1024 * 2 ** 20);
});
