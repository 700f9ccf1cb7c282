import { setTimeout } from 'node:timers/promises';
import { CompileError, type Device } from '@ffma/core';
import { expect, test } from 'vitest';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { fakeCompiler, refusesToCompile, sweptDiscovery, sweptKernel } from '../test-support/swept-kernel.js';
import { buildsOf, compileStage } from './compile-stage.js';
import { pruneSpace } from './prune.js';
import { searchSpace } from './space.js';
import { SweepLog } from './sweep-log.js';

const kernel = sweptDiscovery();
const definition = kernel.definition as NonNullable<typeof kernel.definition>;
const device = new FakeTimingDevice() as Device;
const evens = Array.from({ length: 100 }, (_, i) => 2 * (i + 1));
/** 200 candidates. */
const { candidates } = pruneSpace(
  kernel,
  definition,
  searchSpace(definition, { BM: evens, BN: [2], DEEP: [false, true] }),
);
const builds = buildsOf(candidates, []);

test('200 variants keep 16 workers busy until there is nothing left to begin', async () => {
  let [running, begun] = [0, 0];
  const idle: number[] = [];
  const { compile, name, asked } = fakeCompiler(
    () => ({}),
    async (id) => {
      begun++;
      running++;
      // Compilations take unequally long, so that workers are done at different times.
      await setTimeout(1 + ((id.length * 7 + begun) % 5));
      if (begun < 200 && running < 16) idle.push(begun);
      running--;
    },
  );
  const log = new SweepLog();
  await compileStage(device, builds, log, { jobs: 16, compile });
  expect({ name, asked: new Set(asked).size, records: log.records.length }).toEqual({
    name: 'fake 1',
    asked: 200,
    records: 200,
  });
  expect(idle).toEqual([]);
});

test('what is in the log is not compiled again', async () => {
  const first = fakeCompiler((id) => (id.includes('bm4_') ? refusesToCompile(id) : {}));
  const log = new SweepLog();
  await compileStage(device, builds.slice(0, 10), log, { jobs: 4, compile: first.compile });
  const second = fakeCompiler();
  await compileStage(device, builds.slice(0, 12), log, { jobs: 4, compile: second.compile });
  expect(second.asked).toEqual(builds.slice(10, 12).map(({ candidate }) => candidate.id));
  expect(log.compiled('k50_bm4_bn2_deep')).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('refused'),
  });
});

test('an error that is none of the variant ends the stage, and begins no other', async () => {
  const compile = fakeCompiler(() => {
    throw new Error('the disk is full');
  });
  const log = new SweepLog();
  await expect(compileStage(device, builds, log, { jobs: 2, compile: compile.compile })).rejects.toThrow(
    'the disk is full',
  );
  expect(compile.asked.length).toBeLessThanOrEqual(2);
  expect(log.records).toEqual([]);
});

test('after Ctrl-C nothing is begun, and a compiler that it ended says nothing of a variant', async () => {
  const controller = new AbortController();
  const { compile, asked } = fakeCompiler(
    (id) => {
      throw new CompileError(`${id} was ended by SIGINT`);
    },
    async () => controller.abort(),
  );
  const log = new SweepLog();
  await compileStage(device, builds, log, { jobs: 3, compile, signal: controller.signal });
  expect(asked.length).toBeLessThanOrEqual(3);
  expect(log.records).toEqual([]);
});

test('rules prune a space before anything is compiled', () => {
  const pruned = pruneSpace(kernel, definition, searchSpace(sweptKernel.definition as never));
  expect(pruned).toMatchObject({ points: 60, refused: 18 });
  expect(pruned.candidates).toHaveLength(42);
});

test('what derive() throws, or gives, is a reason like a rule, without the id', () => {
  const odd = {
    ...definition,
    derive: (({ BM }: { BM: number }) => ({ threads: BM, sharedBytes: BM / 3 })) as never,
  };
  const withOdd = { ...kernel, with: undefined, definition: odd };
  const pruned = pruneSpace(
    {
      ...withOdd,
      with: () => {
        throw new Error('derive() of k50_bm8_bn8_deep must give integers');
      },
    },
    odd,
    { BM: [8], BN: [8], DEEP: [true] },
  );
  expect(pruned.reasons).toEqual([{ reason: 'derive() of k50 must give integers', count: 1 }]);
});
