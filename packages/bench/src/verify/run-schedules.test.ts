import { someSchedules } from '@ffma/emulator';
import { expect, test } from 'vitest';
import { chooseSchedules } from '../device/schedules.js';
import { FakeDevice } from '../test-support/fake-device.js';
import { fakeKernel, selected } from '../test-support/fake-kernel.js';
import { UsageError } from '../usage-error.js';
import { runSchedules } from './run-schedules.js';
import { nothingFailed } from './run-verify.js';

const right = selected(fakeKernel('k01'));
const wrong = selected(fakeKernel('k02', { error: 1 }));

test('every case runs once a schedule, and says which', async () => {
  const opened: string[] = [];
  const verified = await runSchedules(someSchedules(3), [right, wrong], {
    level: 'quick',
    nameOf: ({ order }) => order,
    open: async ({ order }) => {
      opened.push(order);
      return new FakeDevice();
    },
  });
  expect(opened).toEqual(['forward', 'reverse', 'random']);
  expect(nothingFailed(verified)).toBe(false);
  const [first, second] = verified.map(({ report }) => report);
  expect(first?.outcome).toBe('passed');
  expect(first?.cases.length).toBe(first?.counts.asked);
  expect(first?.counts.passed).toBe(first?.counts.asked);
  const names = first?.cases.map(({ name }) => name) ?? [];
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.endsWith(', schedule random')).length).toBe(names.length / 3);
  expect(second?.outcome).toBe('failed');
  expect(second?.sentence).toMatch(/under 3 schedules .* fails under forward, reverse, random\.$/);
});

test('one that never ends stops the rest', async () => {
  const verified = await runSchedules(someSchedules(2), [right], {
    level: 'quick',
    nameOf: ({ order }) => order,
    open: async ({ order }) => {
      const device = new FakeDevice();
      if (order === 'forward') device.close();
      return device;
    },
  });
  expect(verified[0]?.report.outcome).toBe('failed');
  expect(verified[0]?.report.sentence).toMatch(
    /That was under the schedule forward\.$|it fails under forward\.$/,
  );
});

test.each([
  [{ device: 'auto', schedule: 'sideways' }, /'sideways' is no schedule\./],
  [{ device: 'cuda', schedules: 3 }, /A GPU chooses its own schedule\./],
  [{ device: 'auto', schedules: 3, schedule: 'forward' }, /takes several/],
] as const)('%j is refused', async (wish, message) => {
  const error = await chooseSchedules(wish).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toMatch(message);
});

test('one, several or none are chosen', async () => {
  expect(await chooseSchedules({ device: 'auto' })).toBeUndefined();
  expect((await chooseSchedules({ device: 'emulator', schedules: 5 }))?.list).toEqual(someSchedules(5));
  const one = await chooseSchedules({ device: 'auto', schedule: 'random:7+early' });
  expect(one?.list).toEqual([{ order: 'random', seed: 7, copies: 'early' }]);
  expect(one?.list.map(one.nameOf)).toEqual(['random:7+early']);
});
