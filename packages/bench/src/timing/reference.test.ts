import { expect, test } from 'vitest';
import { runBench } from '../bench/run-bench.js';
import { parseSizes } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { discoveryOf, fakeKernel, selected } from '../test-support/fake-kernel.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { timedBench as bench, times, usual } from '../test-support/timed-bench.js';

test('any kernel can be the reference, or none', async () => {
  const other = await bench({ options: { reference: 'k01' } });
  expect(other.result.rows.map(({ kernel, role }) => [kernel, role])).toEqual([
    ['k01', 'reference'],
    ['k02', undefined],
  ]);
  expect(other.row('k02').times?.ratio?.median).toBe(2.4);
  const none = await bench({ options: { reference: 'none' } });
  expect(none.row('k02').times?.ratio).toBeUndefined();
  expect(none.result.sessions?.[0]?.notes[0]).toMatch(/no reference/);
  await expect(bench({ options: { reference: 'k09' } })).rejects.toThrow(/no kernel 'k09'/);
  await expect(bench({ options: { reference: 'all' } })).rejects.toThrow(
    /'all' is 3 kernels; a reference is one/,
  );
});

test('a reference that nobody asked for is measured, and the row says so', async () => {
  const found = Object.entries(usual).map(([name, parts]) => fakeKernel(name, parts));
  const only: SelectedKernel[] = [selected(found[1]!)];
  const result = await runBench(new FakeTimingDevice({ times }), only, {
    sizes: parseSizes('8'),
    discovery: discoveryOf(...found),
    protocol: { rounds: 1, launches: 1, warmUpMs: 0 },
  });
  expect(result.rows.map(({ kernel, asked }) => [kernel, asked])).toEqual([
    ['lib', false],
    ['k01', true],
  ]);
});

test('a reference that cannot be loaded leaves times without ratios, and says why', async () => {
  const { row, result } = await bench({
    kernels: { ...usual, lib: { role: 'reference', failsToLoad: 'libvendor.so was not found.' } },
  });
  expect(row('k01').times?.medianUs).toBe(120);
  expect(row('k01').times?.ratio).toBeUndefined();
  expect(result.sessions?.[0]?.notes[0]).toMatch(/could not be used: .*libvendor\.so was not found/);
});
