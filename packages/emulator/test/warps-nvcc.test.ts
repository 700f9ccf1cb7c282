import { readFileSync } from 'node:fs';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 2 });
afterAll(() => device.close());

const nvcc = readFileSync(new URL('./fixtures/warps.ptx', import.meta.url), 'utf8');

test('sums by shuffles and counts by votes', async () => {
  const [grid, block] = [3, 160];
  const values = Int32Array.from({ length: grid * block }, (_, i) => ((i * 7919) % 201) - 100);
  const out = new Int32Array(grid);
  const positives = new Int32Array((grid * block) / 32);
  await runPtx(device, nvcc, { kernel: 'sums', grid, block, args: [values, out, positives] });
  const sum = (numbers: Int32Array) => numbers.reduce((x, y) => x + y, 0);
  expect([...out]).toEqual(
    Array.from({ length: grid }, (_, b) => sum(values.subarray(b * block, (b + 1) * block))),
  );
  expect([...positives]).toEqual(
    Array.from(positives, (_, w) => values.subarray(32 * w, 32 * w + 32).filter((v) => v > 0).length),
  );
});

test('a hand-over inside a warp; without __syncwarp it is a fault', async () => {
  const values = Int32Array.from({ length: 96 }, (_, i) => 10 * i);
  const out = new Int32Array(96);
  const launch = { kernel: 'turn', block: 96, sharedBytes: 4 * 96, args: [values, out] };
  await runPtx(device, nvcc, launch);
  expect([...out]).toEqual(Array.from(values, (_, t) => values[(t & ~31) + ((t + 30) % 32)]! + 1));
  const first = /bar\.warp\.sync\s+-1;/;
  const without = nvcc.slice(0, nvcc.indexOf('turn(')) + nvcc.slice(nvcc.indexOf('turn(')).replace(first, '');
  expect(without).not.toBe(nvcc);
  await expectFault(device, without, launch, { kind: 'uninitialised-read', thread: [0, 0, 0] });
});
