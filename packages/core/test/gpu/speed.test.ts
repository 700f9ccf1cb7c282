import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { type CudaDevice, libraries, libraryCandidates } from '../../dist/cuda/index.js';
import { type LaunchBatch, ObjectCode } from '../../dist/index.js';
import { gpuTest } from './support/gpu.js';

// Bounds are relative to the driver's own calls, made from C++ in the same process and turn by turn with ours, so that
// they hold on any host. `node packages/core/test/gpu/speed.mjs` prints more figures and asserts none.

/** What benchmark.node exports; times are µs, one a call. */
interface Benchmark {
  open(candidates: readonly string[], context: bigint): void;
  launch(kernel: bigint, stream: bigint, count: number, batch: number): Float64Array;
  upload(target: bigint, source: Uint8Array, stream: bigint, count: number): Float64Array;
}

const COUNT = 10_000;
/** Launches between two waits: fewer than the driver queues. */
const BATCH = 200;
const ROUNDS = 5;
const mebi = 2 ** 20;

const median = (values: Iterable<number>) => {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.floor(sorted.length / 2)] as number;
};

function openBenchmark(device: CudaDevice): Benchmark {
  const path = fileURLToPath(new URL('../../dist/native/benchmark.node', import.meta.url));
  const benchmark = createRequire(import.meta.url)(path) as Benchmark;
  benchmark.open(libraryCandidates(libraries.cuda), device.nativeHandle);
  return benchmark;
}

const empty = ObjectCode.fromPtx(
  '.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry nothing() { ret; }\n',
);

describe('from JavaScript, beside the driver from C++', () => {
  gpuTest(
    'a prepared launch is enqueued within 1.5 µs more, and as a graph in less than 4 µs',
    async (device) => {
      const benchmark = openBenchmark(device);
      using stream = device.createStream();
      using loaded = await device.load(empty);
      const kernel = loaded.kernel('nothing');
      const launches = [{ config: { grid: [1, 1, 1], block: [32, 1, 1] }, kernel, args: [] }] as const;
      const plain = device.prepareLaunches(launches);
      const graph = device.prepareLaunches(launches, { graph: true });
      const ours = async (prepared: LaunchBatch) => {
        const us = new Float64Array(COUNT);
        for (let i = 0; i < COUNT; i++) {
          const start = performance.now();
          prepared.enqueue(stream);
          us[i] = (performance.now() - start) * 1000;
          if ((i + 1) % BATCH === 0) await stream.synchronize();
        }
        return median(us);
      };
      // The first round finds cold code.
      await ours(plain);
      await ours(graph);
      const rounds: { own: number; driver: number; more: number; graphed: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const own = await ours(plain);
        const graphed = await ours(graph);
        const driver = median(benchmark.launch(kernel.native.handle, stream.nativeHandle, COUNT, BATCH));
        rounds.push({ own, driver, more: own - driver, graphed });
      }
      const [own, driver, more, graphed] = (['own', 'driver', 'more', 'graphed'] as const).map((name) =>
        median(rounds.map((round) => round[name])),
      ) as [number, number, number, number];
      console.log(
        `enqueue of a prepared launch, median of ${COUNT}: ${own.toFixed(2)} µs, the driver from C++ ` +
          `${driver.toFixed(2)} µs, ours as a graph ${graphed.toFixed(2)} µs (in the middle of ${ROUNDS} rounds)`,
      );
      expect(more).toBeLessThan(1.5);
      expect(graphed).toBeLessThan(4);
    },
  );

  gpuTest('64 MiB of pinned memory are uploaded at 80 % of its rate or more', async (device) => {
    const benchmark = openBenchmark(device);
    const size = 64 * mebi;
    using stream = device.createStream();
    using buffer = await device.allocate(size);
    using pinned = device.allocatePinned(size);
    const bytes = new Uint8Array(pinned.buffer).fill(1);
    const rounds: { own: number; driver: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const us: number[] = [];
      for (let i = 0; i < 10; i++) {
        const start = performance.now();
        await buffer.copyFrom(stream, bytes);
        us.push((performance.now() - start) * 1000);
      }
      const driver = median(benchmark.upload(buffer.address, bytes, stream.nativeHandle, 10));
      if (round > 0) rounds.push({ own: median(us), driver });
    }
    const rate = (us: number) => size / us / 1000;
    const [own, driver] = (['own', 'driver'] as const).map((name) =>
      rate(median(rounds.map((round) => round[name]))),
    ) as [number, number];
    console.log(`upload of 64 MiB: ${own.toFixed(1)} GB/s, from C++ ${driver.toFixed(1)} GB/s`);
    expect(median(rounds.map((round) => round.driver / round.own))).toBeGreaterThan(0.8);
  });
});
