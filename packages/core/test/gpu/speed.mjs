// Prints what calls from JavaScript cost beside the driver's own, called from C++ in the same process.
// Arguments are cubins whose loading is timed too: node speed.mjs [file.cubin ...]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { libraryCandidates } from '../../dist/cuda/index.js';
import { ObjectCode, openDevice } from '../../dist/index.js';

const benchmark = createRequire(import.meta.url)('../../dist/native/benchmark.node');
const mebi = 2 ** 20;
const COUNT = 10_000;
/** Launches between two waits: fewer than the driver queues. */
const BATCH = 200;

/** @param {Iterable<number>} values */
const median = (values) => [...values].sort((x, y) => x - y)[Math.floor([...values].length / 2)];
const print = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

const device = await openDevice('cuda');
const stream = device.createStream();
benchmark.open(libraryCandidates({ names: ['libcuda.so.1'], variable: 'FFMA_LIBCUDA' }), device.nativeHandle);
const ptx = `.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry nothing() { ret; }\n`;

/** Median of the host's time for one enqueue, in µs. @param {() => void} enqueue */
async function enqueueTime(enqueue) {
  const times = new Float64Array(COUNT);
  for (let i = 0; i < COUNT; i++) {
    const start = performance.now();
    enqueue();
    times[i] = (performance.now() - start) * 1000;
    if ((i + 1) % BATCH === 0) await stream.synchronize();
  }
  return median(times);
}

/** Loads, looks a kernel up, and says how long that took. @param {string} what @param {() => ObjectCode} make */
async function timedLoad(what, make) {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const object = make();
    const start = performance.now();
    const own = await device.load(object);
    own.kernel(own.kernelNames[0] ?? '');
    times.push(performance.now() - start);
    own.close();
    await device.synchronize();
  }
  print(`load ${what}: first ${times[0].toFixed(2)} ms, then ${median(times).toFixed(2)} ms`);
}

print(`${device.name}, driver ${device.properties.driverVersion}, Node.js ${process.versions.node}`);
for (const file of process.argv.slice(2)) {
  await timedLoad(file.replace(/.*\//, ''), () => ObjectCode.fromCubin(new Uint8Array(readFileSync(file))));
}
await timedLoad('PTX by the JIT', () => ObjectCode.fromPtx(`${ptx}// ${Math.random()}\n`));

const loaded = await device.load(ObjectCode.fromPtx(ptx));
const kernel = loaded.kernel('nothing');
const nothing = { config: { grid: [1, 1, 1], block: [32, 1, 1] }, kernel, args: [] };
const one = device.prepareLaunches([nothing]);
const graphed = device.prepareLaunches([nothing], { graph: true });
const four = device.prepareLaunches([nothing, nothing, nothing, nothing]);

/**
 * Median of the driver's own time for a call from C++, in µs.
 * @param {'launch' | 'launchEx' | 'launchGraph'} how @param {unknown[]} more
 */
const driverTime = (how, ...more) =>
  median(benchmark[how](kernel.native.handle, stream.nativeHandle, COUNT, BATCH, ...more)).toFixed(2);

print(`an enqueue of nothing at all: ${(await enqueueTime(() => {})).toFixed(2)} µs`);
for (let round = 1; round <= 3; round++) {
  const own = await enqueueTime(() => one.enqueue(stream));
  const native = driverTime('launch');
  const asGraph = await enqueueTime(() => graphed.enqueue(stream));
  const several = await enqueueTime(() => four.enqueue(stream));
  const unprepared = await enqueueTime(() => stream.enqueueLaunch(nothing.config, kernel, []));
  print(
    `enqueue, median of ${COUNT}: prepared ${own.toFixed(2)} µs, as a graph ${asGraph.toFixed(2)} µs, the driver from C++ ${native} µs, ` +
      `four prepared together ${several.toFixed(2)} µs, not prepared ${unprepared.toFixed(2)} µs`,
  );
  print(
    `from C++, median of ${COUNT}: cuLaunchKernel ${driverTime('launch')} µs, cuLaunchKernelEx ` +
      `${driverTime('launchEx')} µs; cuGraphLaunch of one launch ${driverTime('launchGraph', 1)} µs, ` +
      `of four ${driverTime('launchGraph', 4)} µs, of sixteen ${driverTime('launchGraph', 16)} µs`,
  );
}

const size = 64 * mebi;
const buffer = await device.allocate(size);
const pinned = device.allocatePinned(size);
const bytes = new Uint8Array(pinned.buffer).fill(1);
const pageable = new Uint8Array(size).fill(1);
/** @param {() => Promise<void>} copy */
async function rate(copy) {
  const times = [];
  for (let i = 0; i < 12; i++) {
    const start = performance.now();
    await copy();
    times.push(performance.now() - start);
  }
  return size / 1e6 / median(times.slice(2));
}
for (let round = 1; round <= 3; round++) {
  const own = await rate(() => buffer.copyFrom(stream, bytes));
  const native =
    size / median(benchmark.upload(buffer.address, bytes, stream.nativeHandle, 12).slice(2)) / 1e3;
  const down = await rate(() => buffer.copyTo(stream, bytes));
  const slow = await rate(() => buffer.copyFrom(stream, pageable));
  const slowDown = await rate(() => buffer.copyTo(stream, pageable));
  print(
    `64 MiB: upload pinned ${own.toFixed(1)} GB/s, from C++ ${native.toFixed(1)} GB/s ` +
      `(${((100 * own) / native).toFixed(0)} %), download pinned ${down.toFixed(1)} GB/s, ` +
      `pageable up ${slow.toFixed(1)} and down ${slowDown.toFixed(1)} GB/s`,
  );
}
print(`clocks: ${JSON.stringify(device.sampleClocks())}`);
device.close();
