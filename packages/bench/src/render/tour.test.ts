import { expect, test } from 'vitest';
import { runBench } from '../bench/run-bench.js';
import { FakeDevice } from '../test-support/fake-device.js';
import { discoveryOf, fakeKernel, selected } from '../test-support/fake-kernel.js';
import { runVerify } from '../verify/run-verify.js';
import { plain } from './style.js';
import { widthOf } from './text.js';
import { tourNext, tourRow, tourVerified } from './tour.js';

const k01 = fakeKernel('k01', { sectorsPerStore: 32 });
const k02 = fakeKernel('k02', { basedOn: 'k01' });
const wrong = fakeKernel('k03', { basedOn: 'k02', error: 1 });

test('a kernel that passed is one line, one that did not is explained', async () => {
  const verified = await runVerify(new FakeDevice(), [k01, wrong].map(selected), { level: 'quick' });
  const [good = [], bad = []] = verified.map((one) => tourVerified(one, plain, 80));
  expect(good[0]).toMatch(/^ {2}✓ k01 +\d+ cases passed: exact/);
  expect(bad.join('\n')).toMatch(/k03_bm32 +failed.*C\[0\]\[0\] is/s);
});

test('rows line up under one title, and end in what the numbers say and why', async () => {
  const { rows } = await runBench(new FakeDevice({ counters: true }), [k01, k02, wrong].map(selected), {
    sizes: [{ m: 32, n: 32, k: 32 }],
    discovery: discoveryOf(k01, k02, wrong),
  });
  const [first = [], second = [], third = []] = rows.map((row, i) =>
    tourRow(row, rows.slice(0, i + 1), [k01, k02, wrong][i], plain, 80),
  );
  expect(first[0]).toMatch(/^ {2}kernel .*FLOP\/byte$/);
  expect([first[1], ...second.slice(0, 2)].map((line) => line?.length)).toEqual(
    Array(3).fill(first[0]?.length),
  );
  expect(second.join(' ').replaceAll(/\s+/g, ' ')).toMatch(
    /→ k02 moves 4 sectors .* where k01 moves 32.*Because of k02\./,
  );
  expect(third[0]).toMatch(/^wrong {2}k03 32³/);
  expect(Math.max(...[...first, ...second, ...third].map(widthOf))).toBeLessThanOrEqual(80);
});

test('the commands that lead on name a kernel that is there', () => {
  const lines = tourNext([k01, k02], plain, 80, 'npx ffma');
  expect(lines.join('\n')).toContain('  npx ffma inspect k02');
  expect(tourNext([k01], plain, 80, 'bin/ffma').join('\n')).toContain('  bin/ffma inspect k01');
  lines.push(...tourNext([fakeKernel('a-kernel-of-a-long-name')], plain, 80, 'npx ffma'));
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
});
