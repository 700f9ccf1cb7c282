import { expect, test } from 'vitest';
import { FakeTimingDevice, type FakeTimingOptions } from '../test-support/fake-timing-device.js';
import { type MeasureOptions, measure } from './measure.js';
import type { Contestant } from './stopwatch.js';

const contestant = (device: FakeTimingDevice, name: string): Contestant => ({
  name,
  enqueue: () => device.launched(name),
  before: () => device.log.push(`before ${name}`),
});

async function run(options: FakeTimingOptions = {}, protocol: MeasureOptions = {}, names = ['ref', 'own']) {
  const device = new FakeTimingDevice(options);
  const contestants = names.map((name) => contestant(device, name));
  const measurement = await measure(device, contestants, {
    rounds: 3,
    launches: 2,
    warmUpMs: 0,
    ...protocol,
  });
  return { device, measurement, rounds: measurement.rounds };
}

const launch = (name: string) => [`before ${name}`, 'flush 268435456', 'record', `launch ${name}`, 'record'];
/** Before the launches that count, one that does not. */
const lead = (name: string) => launch(name).filter((entry) => entry !== 'record');
const turn = (name: string) => [...lead(name), ...launch(name), ...launch(name), 'synchronize', 'sample'];

test('contestants alternate; each launch is poisoned, flushed and between its own two events', async () => {
  const { device } = await run({}, { rounds: 2 });
  const afterWarmUp = device.log.slice(device.log.indexOf('synchronize') + 1);
  expect(afterWarmUp).toEqual([...turn('ref'), ...turn('own'), ...turn('ref'), ...turn('own')]);
});

test('each is launched once, untimed, before any clock starts; then one more leads each turn', async () => {
  const { device } = await run();
  const first = device.log.indexOf('record');
  const warm = device.log.slice(0, first).filter((entry) => entry.startsWith('launch'));
  expect(warm).toEqual(['launch ref', 'launch own', 'launch ref']);
});

test('the article protocol is the default', async () => {
  const { measurement } = await run({}, { rounds: undefined, launches: undefined } as never);
  expect(measurement.protocol).toMatchObject({ rounds: 15, launches: 40, l2: 'cold', maxRepeats: 15 });
  expect(measurement.rounds).toHaveLength(15);
  expect(measurement.rounds[0]?.us.map((times) => times.length)).toEqual([40, 40]);
  expect(measurement).toMatchObject({ interrupted: false, flushBytes: 256 * 2 ** 20 });
});

test('every launch keeps its own time, in order, by round and contestant', async () => {
  const { rounds } = await run({ times: { ref: (n) => 100 + n, own: (n) => 50 + n } });
  const us = rounds.map((round) => round.us.map((times) => times.map((time) => Math.round(time))));
  expect(us).toEqual([
    [
      [100, 101],
      [50, 51],
    ],
    [
      [102, 103],
      [52, 53],
    ],
    [
      [104, 105],
      [54, 55],
    ],
  ]);
});

test('the flush is at least 256 MiB, and twice a larger L2', async () => {
  const device = new FakeTimingDevice();
  Object.assign(device, { limits: { ...device.limits, l2Bytes: 200 * 2 ** 20 } });
  const { flushBytes } = await measure(device, [contestant(device, 'a')], {
    rounds: 1,
    launches: 1,
    warmUpMs: 0,
  });
  expect(flushBytes).toBe(400 * 2 ** 20);
  expect(device.log).toContain(`flush ${400 * 2 ** 20}`);
});

test('a warm cache is not flushed, and is filled by a launch that is not timed', async () => {
  const { device, measurement } = await run({}, { l2: 'warm', rounds: 1 }, ['own']);
  expect(device.log.filter((entry) => entry.startsWith('flush'))).toEqual([]);
  expect(measurement.flushBytes).toBe(0);
  const launches = device.log.map((entry, i) => entry === 'launch own' && device.log[i - 1] === 'record');
  expect(launches.filter((timed) => timed)).toHaveLength(2);
  expect(device.log.filter((entry) => entry === 'launch own')).toHaveLength(4);
});

test('more launches than fit into a driver are enqueued in portions', async () => {
  const { device, rounds } = await run({ times: { own: (n) => n + 1 } }, { launches: 250, rounds: 1 }, [
    'own',
  ]);
  expect(rounds[0]?.us[0]?.map(Math.round)).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
  const portions = device.log
    .join(' ')
    .split('synchronize')
    .slice(1)
    .map((part) => part.match(/launch/g)?.length);
  expect(portions).toEqual([101, 101, 51, undefined]);
});

/** Reasons by round attempt: two contestants, and one sample to see whether clocks can be read. */
const throttled = (attempts: readonly number[]) => (n: number) =>
  n > 0 && attempts.includes(Math.floor((n - 1) / 2)) ? 'software-thermal' : 'gpu-idle';

test('a throttled round is marked and run again', async () => {
  const { rounds, measurement } = await run({ reasons: throttled([1, 2]) });
  expect(rounds.map(({ round, attempt, used }) => [round, attempt, used])).toEqual([
    [1, 1, true],
    [2, 1, false],
    [2, 2, false],
    [2, 3, true],
    [3, 1, true],
  ]);
  expect(rounds[1]?.throttledBy).toEqual(['software-thermal']);
  expect(rounds[3]?.throttledBy).toEqual([]);
  expect(measurement.interrupted).toBe(false);
});

test('one throttled sample is enough, whoever ran', async () => {
  const { rounds } = await run({ reasons: (n) => (n === 4 ? 'software-power-cap' : undefined) });
  expect(rounds.map(({ used }) => used)).toEqual([true, false, true, true]);
});

test('after the last repeat, throttled rounds count and stay marked', async () => {
  const { rounds } = await run({ reasons: () => 'software-power-cap' }, { maxRepeats: 2 });
  expect(rounds.map(({ used }) => used)).toEqual([false, false, true, true, true]);
  expect(rounds.every(({ throttledBy }) => throttledBy[0] === 'software-power-cap')).toBe(true);
});

test('idling repeats nothing', async () => {
  const { rounds } = await run({ reasons: () => 'gpu-idle' });
  expect(rounds).toHaveLength(3);
});

test('clocks are sampled in the turn of each', async () => {
  const { rounds } = await run();
  expect(rounds.map(({ clocks }) => clocks.length)).toEqual([2, 2, 2]);
  expect(rounds[0]?.clocks[0]).toMatchObject({ smClockMHz: 1980, temperatureC: 48 });
});

test('without NVML times are taken all the same, and the reason is kept', async () => {
  const { measurement } = await run({ noClocks: 'libnvidia-ml.so.1 was not found.' });
  expect(measurement.noClocks).toMatch(/libnvidia-ml/);
  expect(measurement.rounds.map(({ clocks }) => clocks)).toEqual([[], [], []]);
});

test('the signal ends it after the round that runs', async () => {
  const controller = new AbortController();
  const { measurement } = await run({}, {
    rounds: 5,
    signal: controller.signal,
    onRound: ({ round }) => round === 2 && controller.abort(),
  } as MeasureOptions);
  expect(measurement.interrupted).toBe(true);
  expect(measurement.rounds.map(({ us }) => us.flat().length)).toEqual([4, 4]);
});

test('a signal during the last round interrupts nothing', async () => {
  const controller = new AbortController();
  const { measurement } = await run({}, {
    signal: controller.signal,
    onRound: ({ round }) => round === 3 && controller.abort(),
  } as MeasureOptions);
  expect(measurement.interrupted).toBe(false);
});

test('the time limit ends it after the round that runs; the time of warming up does not count', async () => {
  let time = 0;
  const now = () => time;
  const onRound = () => {
    time += 300;
  };
  const { measurement } = await run({}, { rounds: 50, timeLimitMs: 1000, now, onRound });
  expect(measurement.rounds).toHaveLength(4);
  expect(measurement).toMatchObject({ endedBy: 'time-limit', interrupted: false });
});

test('a time limit that is over in a throttled round ends it after one that counts', async () => {
  let time = 0;
  const now = () => time;
  const onRound = () => {
    time += 2000;
  };
  const { rounds, measurement } = await run(
    { reasons: throttled([0, 1]) },
    { rounds: 50, timeLimitMs: 1000, now, onRound },
  );
  expect(rounds.map(({ used }) => used)).toEqual([false, false, true]);
  expect(measurement.endedBy).toBe('time-limit');
});

test('with a width it ends by itself: of two that run alike, after five rounds', async () => {
  const { measurement } = await run({}, { rounds: undefined, untilWidth: 0.01 } as never);
  expect(measurement).toMatchObject({ endedBy: 'interval', protocol: { rounds: 100, untilWidth: 0.01 } });
  expect(measurement.rounds).toHaveLength(5);
});

test('a clock that stands still is refused', async () => {
  await expect(run({ times: { own: () => 0 } })).rejects.toThrow(/launch of own are 0 µs apart/);
});

test.each([
  [{ rounds: 0 }, /rounds must be an integer/],
  [{ launches: 1.5 }, /launches must be an integer/],
  [{ maxRepeats: -1 }, /maxRepeats must be an integer/],
  [{ untilWidth: 1 }, /untilWidth must be over 0 and under 1, but is 1\. .*0\.01 for 1 %/],
  [{ timeLimitMs: 0 }, /timeLimitMs must be over 0/],
])('%j is refused', async (protocol, why) => {
  await expect(run({}, protocol)).rejects.toThrow(why);
});

test('everything that was made is closed', async () => {
  const device = new FakeTimingDevice();
  const open = new Set<{ closed: boolean }>();
  const watch = <T extends { closed: boolean }>(made: T) => {
    open.add(made);
    return made;
  };
  const { createEvent, allocateSync } = device;
  Object.assign(device, {
    createEvent: () => watch(createEvent.call(device)),
    allocateSync: (bytes: number) => watch(allocateSync.call(device, bytes)),
  });
  await measure(device, [contestant(device, 'a')], { rounds: 1, launches: 3, warmUpMs: 0 });
  expect(open.size).toBe(7);
  expect([...open].every(({ closed }) => closed)).toBe(true);
});
