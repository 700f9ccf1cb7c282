import { registerProvider, UnavailableError } from '@ffma/core';
import { expect, test } from 'vitest';
import { plain } from '../render/style.js';
import { widthOf } from '../render/text.js';
import { tourTimed } from '../render/tour.js';
import { discoveryOf, type FakeKernelOptions, fakeKernel, selected } from '../test-support/fake-kernel.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { verifyAndTime } from './verify-and-time.js';

const size = { m: 16, n: 16, k: 16 };

async function tour(kernels: Readonly<Record<string, FakeKernelOptions>>) {
  const times = { lib: () => 64, k01: () => 80 };
  registerProvider({ kind: 'cuda', open: async () => new FakeTimingDevice({ times }) });
  const found = Object.entries(kernels).map(([name, parts]) => fakeKernel(name, parts));
  const leftOut: string[] = [];
  const done = await verifyAndTime(discoveryOf(...found), found.map(selected), {
    size,
    timedAt: size,
    onLeftOut: (found) => leftOut.push(...found.map(({ kernel }) => kernel.kernel.name)),
  });
  return { ...done, leftOut };
}

test('with a GPU, what was verified is timed against the reference, in five rounds', async () => {
  const { verified, timed, leftOut } = await tour({ lib: { role: 'reference' }, k01: {} });
  expect(verified.map(({ report }) => report.outcome)).toEqual(['passed', 'passed']);
  expect(leftOut).toEqual([]);
  const row = timed?.rows.find(({ kernel }) => kernel === 'k01');
  expect(row?.times?.ratio).toMatchObject({ median: 0.8, rounds: 5 });
  const lines = tourTimed(timed!, plain, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  expect(lines.join('\n')).toMatch(/^ {2}k01 +80\.0 +\S+ +80\.0 +80\.0–80\.0 +0 of 5/m);
});

test('without the library, the kernels are verified and timed all the same', async () => {
  const { verified, timed, leftOut } = await tour({
    lib: { role: 'reference', failsToLoad: 'gone' },
    k01: {},
  });
  expect(verified.map(({ selected: { kernel } }) => kernel.name)).toEqual(['k01']);
  expect(leftOut).toEqual(['lib']);
  expect(timed?.rows.find(({ kernel }) => kernel === 'k01')?.times?.medianUs).toBe(80);
  expect(tourTimed(timed!, plain, 80).join(' ').replaceAll(/\s+/g, ' ')).toContain('could not be used: ');
});

test('a wrong kernel is explained, not timed', async () => {
  const { timed } = await tour({ lib: { role: 'reference' }, k01: { error: 1 } });
  expect(tourTimed(timed!, plain, 80).join('\n')).toMatch(/^ {2}wrong {2}k01 16³: /m);
});

test('a GPU that fails for another reason than its absence is an error', async () => {
  registerProvider({ kind: 'cuda', open: () => Promise.reject(new TypeError('a bug')) });
  const broken = verifyAndTime(discoveryOf(), [], { size });
  await expect(broken).rejects.toThrow('a bug');
  registerProvider({ kind: 'cuda', open: () => Promise.reject(new UnavailableError('No GPU.')) });
});
