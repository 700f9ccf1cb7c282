// How fast kernels run on the emulator, by CPU time, so that what else the machine does counts little.
import { EmulatorDevice } from '@ffma/emulator';
import { k01, k02, k03, k06, k11, k13 } from '@ffma/kernels-cudacore';
import { k14 } from '@ffma/streamk';

/** @typedef {import('@ffma/emulator').EmulatorOptions} EmulatorOptions */

export const kernels = { k01, k02, k03, k06, k11, k13, k14 };

/** @param {number} length */
const random = (length) => Float32Array.from({ length }, () => Math.random() * 2 - 1);

/**
 * Random A and B and room for C, all n×n.
 * @param {import('@ffma/core').Device} device
 * @param {import('@ffma/core').Stream} stream
 * @param {number} n
 */
export async function operands(device, stream, n) {
  const size = 4 * n * n;
  const [a, b, c] = await Promise.all([device.allocate(size), device.allocate(size), device.allocate(size)]);
  await Promise.all([a.copyFrom(stream, random(n * n)), b.copyFrom(stream, random(n * n))]);
  return { a, b, c };
}

/**
 * Milliseconds of processor time, of all threads together, of the fastest of `count` runs.
 * @param {number} count
 * @param {() => Promise<void>} run
 */
export async function leastCpu(count, run) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** Exact FMAs of an n×n×n product per second, from milliseconds. @param {number} n @param {number} ms */
export const rate = (n, ms) => (1000 * n ** 3) / ms;

/**
 * Runs a kernel on one worker.
 * @param {keyof typeof kernels} name
 * @param {EmulatorOptions} options
 * @param {{ n: number, count?: number }} problem
 * @returns exact FMAs a second, CPU milliseconds of a product, and of the first launch, which translates
 */
export async function kernelSpeed(name, options, { n, count = 5 }) {
  const device = new EmulatorDevice({ workers: 1, ...options });
  const stream = device.createStream();
  try {
    const data = await operands(device, stream, n);
    const once = async () => {
      const loaded = await kernels[name].load(device);
      const prepared = loaded.prepare({ m: n, n, k: n }, data);
      prepared.enqueue(stream);
      await stream.synchronize();
      return prepared;
    };
    const start = process.cpuUsage();
    const prepared = await once();
    const { user, system } = process.cpuUsage(start);
    const ms = await leastCpu(count, () => {
      prepared.enqueue(stream);
      return stream.synchronize();
    });
    return { perSecond: rate(n, ms), ms, firstMs: (user + system) / 1000 };
  } finally {
    device.close();
  }
}
