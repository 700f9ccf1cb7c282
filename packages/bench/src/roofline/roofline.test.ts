import { expect, test } from 'vitest';
import type { ProfileResult } from '../profile/schema.js';
import { renderRoofline, renderRooflineMarkdown } from '../render/roofline.js';
import { plain } from '../render/style.js';
import { widthOf } from '../render/text.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { FakeCeilingDevice } from '../test-support/fake-ceiling-device.js';
import { FakeDevice } from '../test-support/fake-device.js';
import { fakePackage } from '../test-support/fake-kernel.js';
import { timedBench } from '../test-support/timed-bench.js';
import { ceilingWork } from './ceiling-runs.js';
import { roofline, rooflineUnder } from './roofline.js';
import { rooflineSchema } from './schema.js';

const work = { iterations: ceilingWork.iterations, bytes: 2 ** 20 };
const times = {
  ffma_ceiling_ffma: () => 2200,
  ffma_ceiling_outer_product: () => 2300,
  ffma_ceiling_read: () => 0.25,
  copy: () => 0.7,
};
const protocol = { rounds: 3, launches: 2, warmUpMs: 0 };
const ceilingsOf = (options: ConstructorParameters<typeof FakeCeilingDevice>[0] = { times }) =>
  roofline(new FakeCeilingDevice(options), { work, protocol });

test('ceilings are rates of what was done, the nominal peak beside them', async () => {
  const result = await ceilingsOf();
  expect(rooflineSchema.parse(result)).toEqual(result);
  const [ffma, outer] = result.compute;
  // 132 SMs · 4 blocks · 256 threads · 2048 · 256 FFMAs · 2.
  expect(ffma).toMatchObject({ name: 'ffma', flops: 141_733_920_768, medianUs: 2200 });
  expect(ffma?.tflops).toBeCloseTo(64.4245, 4);
  expect(ffma?.ofNominal).toBeCloseTo(64.4245 / 66.9, 3);
  expect(outer?.tflops).toBeCloseTo(61.62, 2);
  expect(result.memory.map(({ name, gbps }) => [name, Math.round(gbps)])).toEqual([
    ['copy', 2996],
    ['read', 4194],
  ]);
  expect(result.ridge).toBeCloseTo(64_424.5 / 2995.93, 2);
  expect(result).toMatchObject({
    points: [],
    notes: [],
    protocol: { parameters: { l2: 'warm', rounds: 3 } },
  });
});

test('a ceiling that is wrong, or above what a GPU can reach, is an error', async () => {
  for (const name of ['ffma', 'outer_product', 'read']) {
    const device = new FakeCeilingDevice({ times });
    device.wrong = `ffma_ceiling_${name}`;
    await expect(roofline(device, { work, protocol }), name).rejects.toThrow(/so its time means nothing/);
  }
  await expect(ceilingsOf({ times: { ...times, ffma_ceiling_ffma: () => 2000 } })).rejects.toThrow(
    /70\.9 TFLOP\/s, over the 66\.9/,
  );
  await expect(roofline(new FakeDevice(), { work, protocol })).rejects.toThrow(
    /fake device has none.*--ceilings/,
  );
});

/** A row of 1024³ as a benchmark has it. */
async function benchOf(
  parts: Partial<ResultRow> = {},
  more: Partial<BenchResult> = {},
): Promise<BenchResult> {
  const { result } = await timedBench();
  const problem = { ...result.rows[0]!.problem, m: 1024, n: 1024, k: 1024 };
  const rows = result.rows.map((row) => ({
    ...row,
    problem,
    times: { ...row.times!, medianUs: 61.3, tflops: 35 },
    ...parts,
  }));
  return { ...result, ...more, rows };
}

/** Of the same kernels as {@link benchOf}, each in two launches. */
const profileOf = (read: number | null, written: number, device = 'fake GPU') =>
  ({
    kind: 'profile',
    profiler: { name: 'Nsight Compute', version: '2025.3' },
    device: { name: device },
    rows: ['lib', 'k01'].map((kernel) => ({
      id: `${kernel}_bm32`,
      package: { name: fakePackage.name, version: fakePackage.version },
      problem: { m: 1024, n: 1024, k: 1024, alpha: 1, beta: 0 },
      launches: [1, 2].map(() => ({ metrics: { 'dram.readBytes': read, 'dram.writtenBytes': written } })),
    })),
  }) as unknown as ProfileResult;

test('points: speed from the benchmark, bytes of all launches from the profile, C counted to its end', async () => {
  const earlier = await ceilingsOf();
  const bench = await benchOf();
  const profile = profileOf(4_194_304, 1000);
  const result = rooflineUnder(earlier, { benches: [bench], profiles: [profile] });
  expect(rooflineSchema.parse(result)).toEqual(result);
  expect(result.points.map(({ kernel }) => kernel)).toEqual(['lib', 'k01']);
  const [lib] = result.points;
  expect(lib?.dram).toEqual({
    readBytes: 8_388_608,
    writtenBytes: 4 * 1024 * 1024,
    source: 'ncu',
    by: 'Nsight Compute 2025.3',
  });
  // 2·1024³ FLOP over three matrices.
  expect(lib?.intensity).toBeCloseTo(170.67, 2);
  expect(lib).toMatchObject({ role: 'reference', bound: 'compute', roofTflops: earlier.compute[0]?.tflops });
  expect(lib?.ofRoof).toBeCloseTo(35 / 64.4245, 4);
  expect(result.notes).toEqual([
    'Bytes from DRAM are not known of k02 at 1024³: ffma profile counts them, ffma bench --l2 models them.',
  ]);
  const lines = renderRoofline(result, plain, 80);
  expect(lines.filter((line) => widthOf(line) > 80)).toEqual([]);
  expect(lines.join('\n')).toMatch(/lib +35\.0 +171 +64\.4 +54\.3 % +FFMAs +counted/);
  expect(renderRooflineMarkdown(result).join('\n')).toContain('| k01 | 35.0 | 171 |');
});

test('of many rows without bytes one is named', async () => {
  const earlier = await ceilingsOf();
  const bench = await benchOf();
  const rows = [1, 2].flatMap((size) =>
    bench.rows.map((row) => ({ ...row, problem: { ...row.problem, m: 64 * size } })),
  );
  expect(rooflineUnder(earlier, { benches: [{ ...bench, rows }] }).notes).toEqual([
    'Bytes from DRAM are not known of 6 of the 6 rows that were timed, such as lib at 64×1024×1024: ' +
      'ffma profile counts them, ffma bench --l2 models them.',
  ]);
});

test('bytes that were modelled are marked, and counted ones go before them; few FLOP a byte are under the slope', async () => {
  const earlier = await ceilingsOf();
  const bench = await benchOf();
  const values = {
    'l2Model.dramReadBytes': 1e9,
    'l2Model.dramWrittenBytes': 0,
    'l2Model.dirtyBytes': 4_194_304,
  };
  const counters = { level: 'ptx' as const, values, launches: [] };
  const counted = await benchOf(
    { counters, times: undefined },
    { device: { ...bench.device, name: 'emulated H200' } },
  );
  const result = rooflineUnder(earlier, { benches: [bench, counted] });
  expect(result.points).toHaveLength(3);
  expect(result.points[0]).toMatchObject({
    bound: 'memory',
    dram: { source: 'model', writtenBytes: 4_194_304 },
  });
  expect(result.points[0]?.roofTflops).toBeCloseTo((2.99593 * 2 * 1024 ** 3) / 1.004194304e9, 2);
  expect(renderRoofline(result, plain, 80).join(' ')).toContain('a model, not a measurement');
  const profile = profileOf(4_194_304, 0);
  const both = rooflineUnder(earlier, { benches: [bench, counted], profiles: [profile] });
  expect(both.points.map(({ dram }) => dram.source)).toEqual(['ncu', 'ncu', 'model']);
});

test('a profile that lacks a figure gives no point, and another GPU no roof', async () => {
  const earlier = await ceilingsOf();
  const bench = await benchOf();
  const lacking = profileOf(null, 0);
  expect(rooflineUnder(earlier, { benches: [bench], profiles: [lacking] }).points).toEqual([]);
  const other = profileOf(1, 1, 'NVIDIA H100');
  expect(() => rooflineUnder(earlier, { profiles: [other] })).toThrow(
    /those of fake GPU.*made on NVIDIA H100/,
  );
});
