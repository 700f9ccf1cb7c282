import type { RunBenchOptions } from '../bench/options.js';
import { runBench } from '../bench/run-bench.js';
import { parseSizes } from '../bench/sizes.js';
import { discoveryOf, type FakeKernelOptions, fakeKernel, selected } from './fake-kernel.js';
import { FakeTimingDevice, type FakeTimingOptions } from './fake-timing-device.js';

export interface Setting {
  readonly device?: FakeTimingOptions;
  readonly kernels?: Readonly<Record<string, FakeKernelOptions>>;
  readonly options?: Partial<RunBenchOptions>;
}

/** A reference and two kernels. */
export const usual = { lib: { role: 'reference' }, k01: {}, k02: {} } as const;
/** µs of a launch of each. */
export const times = { lib: () => 60, k01: () => 120, k02: () => 50 };

/** Times kernels in three rounds of four launches on a GPU that takes the times it is told. */
export async function timedBench({ device: like = { times }, kernels = usual, options = {} }: Setting = {}) {
  const device = new FakeTimingDevice(like);
  const found = Object.entries(kernels).map(([name, parts]) => fakeKernel(name, parts));
  const result = await runBench(device, found.map(selected), {
    sizes: parseSizes('8'),
    discovery: discoveryOf(...found),
    ...options,
    protocol: { rounds: 3, launches: 4, warmUpMs: 0, ...options.protocol },
  });
  return { device, result, row: (name: string) => result.rows.find(({ kernel }) => kernel === name)! };
}

/** Aborts when the progress says so. */
export function until(label: RegExp): Pick<RunBenchOptions, 'signal' | 'onStep'> {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onStep: (step) => {
      if (label.test(step.label)) controller.abort();
    },
  };
}
