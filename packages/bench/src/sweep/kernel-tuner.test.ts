import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  fakeCompiler,
  modelDevice,
  refusesToCompile,
  sweepHere,
  sweptDiscovery,
} from '../test-support/swept-kernel.js';
import { kernelTunerCache } from './kernel-tuner.js';

const size = { m: 8, n: 8, k: 8 };

/** The published layout of a cache file, version 1.1.0: its required fields, and the types of all. */
const published = z.object({
  schema_version: z.literal('1.1.0'),
  device_name: z.string(),
  kernel_name: z.string(),
  problem_size: z.union([z.array(z.number().int()), z.number().int(), z.string()]),
  tune_params_keys: z.array(z.string()),
  tune_params: z.record(z.string(), z.array(z.unknown())),
  objective: z.string(),
  cache: z.record(
    z.string(),
    z.looseObject({
      time: z.union([
        z.enum(['InvalidConfig', 'CompilationFailedConfig', 'RuntimeFailedConfig']),
        z.number(),
      ]),
      times: z.array(z.number()).optional(),
      compile_time: z.number(),
      verification_time: z.number(),
      benchmark_time: z.number(),
      'GFLOP/s': z.number().optional(),
      strategy_time: z.number(),
      framework_time: z.number(),
      timestamp: z.iso.datetime(),
    }),
  ),
});

async function exported() {
  const compiler = fakeCompiler((id) => {
    if (id === 'k50_bm4_bn4_deep') refusesToCompile(id);
    return id === 'k50_bm4_bn8_deep' ? { spillBytes: 4 } : {};
  });
  const kernel = sweptDiscovery((id) => (id === 'k50_bm4_bn16_deep' ? { error: 1 } : {}));
  return kernelTunerCache(await sweepHere(modelDevice('a'), { compiler }, kernel), size);
}

test('a sweep is a cache file of Kernel Tuner: of its layout, with a key for each configuration', async () => {
  const cache = await exported();
  expect(published.parse(JSON.parse(JSON.stringify(cache)))).toMatchObject({
    device_name: 'fake GPU',
    kernel_name: 'k50',
    problem_size: [8, 8, 8],
    tune_params_keys: ['BM', 'BN', 'DEEP'],
  });
  for (const [key, entry] of Object.entries(cache.cache)) {
    const values = cache.tune_params_keys.map((name) => entry[name]);
    expect(key).toBe(values.join(','));
    for (const [i, name] of cache.tune_params_keys.entries())
      expect(cache.tune_params[name]).toContain(values[i]);
  }
  // 42 candidates, of which the 8 with BM = 12 do not take this size.
  expect(Object.keys(cache.cache)).toHaveLength(34);
});

test('times are in ms, of the last rung; what has none says why as Kernel Tuner does', async () => {
  const { cache } = await exported();
  const best = cache['16,32,true'];
  expect(best?.times).toHaveLength(5 * 6);
  // 100 µs by the model of this GPU, whose clock drifts by a tenth.
  expect(best?.time).toBeGreaterThan(0.089);
  expect(best?.time).toBeLessThan(0.112);
  expect(best?.['GFLOP/s']).toBeCloseTo((2 * 8 ** 3) / (Number(best?.time) * 1e-3) / 1e9, 9);
  expect(['4,4,true', '4,8,true', '4,16,true'].map((key) => cache[key]?.time)).toEqual([
    'CompilationFailedConfig',
    'InvalidConfig',
    'RuntimeFailedConfig',
  ]);
});

test('a size that was not timed is refused', async () => {
  const result = await sweepHere(modelDevice('a'));
  expect(() => kernelTunerCache(result, { m: 9, n: 9, k: 9 })).toThrow(/no times of 9³/);
});
