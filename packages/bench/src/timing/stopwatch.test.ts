import { expect, test } from 'vitest';
import { QueueDevice, type QueueOptions } from '../test-support/queue-device.js';
import { type Contestant, Stopwatch } from './stopwatch.js';

/** What was measured of core's prepared launches: 2 to 3 µs a call, and tens until a promise is resolved. */
const machine: QueueOptions = { enqueueUs: 3, wakeUs: 60, flushUs: 90 };
const LAUNCHES = 40;

const kernel = (device: QueueDevice, us: number): Contestant => ({
  name: 'kernel',
  before: () => void device.run('poison', 2),
  enqueue: () => void device.run('kernel', us),
});

async function turn(l2: 'cold' | 'warm', kernelUs: number) {
  const device = new QueueDevice(machine);
  using stopwatch = await Stopwatch.create(device.asTimingDevice(), { l2, launches: LAUNCHES });
  const contestant = kernel(device, kernelUs);
  await stopwatch.warmUp([contestant], 0);
  device.commands.length = 0;
  device.yields = 0;
  const us = await stopwatch.time(contestant, LAUNCHES);
  return { device, us, idle: device.idleBefore() };
}

/** The same by somebody who waits after each launch. */
async function waitingTurn(kernelUs: number) {
  const device = new QueueDevice(machine);
  const stream = device.createStream();
  const contestant = kernel(device, kernelUs);
  for (let i = 0; i < LAUNCHES; i++) {
    stream.record(device.createEvent());
    contestant.enqueue(stream);
    stream.record(device.createEvent());
    await stream.synchronize();
  }
  return device.idleBefore();
}

const mostIdle = (idle: readonly { us: number }[]) => Math.max(...idle.map(({ us }) => us));

test('with a cold cache the GPU is never idle between timed launches, however short they are', async () => {
  for (const kernelUs of [5, 100, 20_000]) {
    const { idle, us } = await turn('cold', kernelUs);
    expect(mostIdle(idle), `${kernelUs}`).toBe(0);
    expect(us.map(Math.round)).toEqual(Array.from({ length: LAUNCHES }, () => kernelUs));
  }
});

test('with a warm cache it waits for the host by less than 20 µs, for kernels shorter than enqueueing them', async () => {
  const { idle } = await turn('warm', 1);
  expect(mostIdle(idle)).toBeLessThan(20);
  const perLaunch = idle.reduce((sum, { us }) => sum + us, 0) / LAUNCHES;
  expect(perLaunch).toBeLessThan(20);
  expect(perLaunch).toBeGreaterThan(0);
  expect(mostIdle((await turn('warm', 100)).idle)).toBe(0);
});

test('JavaScript waits once for all launches of a turn; whoever waits for each leaves the GPU idle', async () => {
  const { device } = await turn('cold', 100);
  expect(device.yields).toBe(1);
  expect(mostIdle(await waitingTurn(100))).toBeGreaterThan(20);
});

test('nothing gets between the first and the last launch of a turn: no callback of anybody else runs', async () => {
  const device = new QueueDevice(machine);
  using stopwatch = await Stopwatch.create(device.asTimingDevice(), { l2: 'cold', launches: LAUNCHES });
  let others = 0;
  const seen: number[] = [];
  const contestant: Contestant = {
    name: 'kernel',
    enqueue: () => {
      device.run('kernel', 10);
      queueMicrotask(() => others++);
      seen.push(others);
    },
  };
  await stopwatch.time(contestant, LAUNCHES);
  expect(seen).toEqual(Array.from({ length: LAUNCHES + 1 }, () => 0));
  expect(others).toBe(LAUNCHES + 1);
});

test('the stopwatch itself takes under 20 µs of JavaScript for a launch', async () => {
  const nothing = () => undefined;
  const stream = { record: nothing, synchronize: async () => undefined, close: nothing };
  const event = { elapsedMs: () => 1, close: nothing };
  const device = {
    ...new QueueDevice(machine),
    limits: new QueueDevice(machine).limits,
    createEvent: () => event,
    createStream: () => Object.assign(stream, { device }),
    allocate: async () => ({ byteLength: 1, fill: nothing, close: nothing }),
  };
  using stopwatch = await Stopwatch.create(device as never, { l2: 'cold', launches: LAUNCHES });
  let fastest = Number.POSITIVE_INFINITY;
  for (let turns = 0; turns < 50; turns++) {
    const began = performance.now();
    await stopwatch.time({ name: 'nothing', enqueue: nothing, before: nothing }, LAUNCHES);
    fastest = Math.min(fastest, (performance.now() - began) / LAUNCHES);
  }
  expect(fastest * 1000).toBeLessThan(20);
});

test('a contestant that takes more of the queue has fewer launches in flight', async () => {
  const device = new QueueDevice(machine);
  using stopwatch = await Stopwatch.create(device.asTimingDevice(), { l2: 'cold', launches: LAUNCHES });
  const many = { ...kernel(device, 1), places: 400 };
  device.yields = 0;
  expect(await stopwatch.time(many, LAUNCHES)).toHaveLength(LAUNCHES);
  expect(device.yields).toBe(LAUNCHES);
  device.yields = 0;
  await stopwatch.time({ ...many, places: 47 }, LAUNCHES);
  expect(device.yields).toBe(4);
});
