import { fileURLToPath } from 'node:url';
import {
  type Contestant,
  type DiscoveredKernel,
  discoverKernels,
  doctor,
  isTiming,
  measure,
  median,
  pairedRatio,
  type ResultRow,
  resultSchema,
  runBench,
  type TimingDevice,
} from '@ffma/bench';
import { type GemmOperands, openDevice, type Stream } from '@ffma/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { kernels, ...discovery } = await discoverKernels(root);
const own = kernels.filter(({ gemm }) => gemm.role !== 'reference');

/** Why these tests cannot run here; undefined where there is a GPU. */
const missing = await (async () => {
  try {
    await using _ = await openDevice('cuda');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
})();

declare module 'vitest' {
  interface TaskMeta {
    /** Why it is skipped, as a sentence. */
    reason?: string;
  }
}

if (missing === undefined) describe('times on a GPU', register);
else describe('times on a GPU', { skip: true, meta: { reason: missing } }, register);

function register(): void {
  let device: TimingDevice;
  beforeAll(async () => {
    const opened = await openDevice('cuda');
    if (!isTiming(opened)) throw new Error('The CUDA device does not sample clocks.');
    device = opened;
  });
  afterAll(() => device?.close());

  test('every kernel is right before and after, timed, and under the peak', async () => {
    const result = await runBench(
      device,
      kernels.map((kernel) => ({ gemm: kernel.gemm, kernel })),
      {
        sizes: [{ m: 512, n: 512, k: 512 }],
        discovery: { kernels, ...discovery },
        protocol: { rounds: 5, launches: 20 },
      },
    );
    expect(resultSchema.safeParse(result).error).toBeUndefined();
    const [session] = result.sessions ?? [];
    const rows = result.rows.filter(({ role }) => role === undefined);
    expect(rows.map(({ kernel }) => kernel)).toEqual(own.map(({ name }) => name));
    for (const row of rows) {
      expect(row.correctness).toMatchObject({ status: 'passed', cases: { passed: 3, failed: 0 } });
      expect(row.times?.tflops, row.id).toBeLessThan(session?.peak?.tflops ?? 0);
      expect(row.artefact?.ranAs).toMatch(/^(cubin|jit)$/);
    }
    const reference = result.rows.find(({ role }) => role === 'reference') as ResultRow;
    if (reference.times === undefined) expect(session?.notes[0]).toContain(reference.id);
    else expect(rows.every(({ times }) => times?.ratio?.rounds === 5)).toBe(true);
    const { maxSmClockMHz } = result.device.details;
    for (const { clocks } of session?.rounds ?? []) {
      expect(Math.max(...(clocks?.smMHz ?? []))).toBeLessThanOrEqual(Number(maxSmClockMHz));
      expect(Math.max(...(clocks?.powerW ?? []))).toBeGreaterThan(50);
    }
  });

  test('a batch with scalars, as graphs, is right, and its session ends by its intervals or the most rounds', async () => {
    const kernel = own.at(-1) as DiscoveredKernel;
    const result = await runBench(device, [{ gemm: kernel.gemm, kernel, named: true }], {
      sizes: [{ m: 512, n: 512, k: 512, batch: 4 }],
      alpha: 0.5,
      beta: -2,
      discovery: { kernels, ...discovery },
      protocol: { untilWidth: 0.02, rounds: 20, launches: 10, graph: true },
    });
    expect(resultSchema.safeParse(result).error).toBeUndefined();
    const row = result.rows.find(({ id }) => id === kernel.gemm.id) as ResultRow;
    expect(row.correctness).toMatchObject({ status: 'passed', cases: { passed: 3, failed: 0 } });
    expect(row.problem).toMatchObject({ alpha: 0.5, beta: -2, batch: 4 });
    expect(row.times?.launched).toBe('graph');
    expect(row.times?.tflops).toBeLessThan(result.sessions?.[0]?.peak?.tflops ?? 0);
    expect(result.sessions?.[0]?.endedBy).toMatch(/^(interval|max-rounds)$/);
    expect(row.digests?.source).toMatch(/^[0-9a-f]{64}$/);
  });

  test('between timed launches of a small kernel with a warm cache the GPU waits under 20 µs for JavaScript', async () => {
    const { enqueue } = await operation(own.at(-1) as DiscoveredKernel, 256);
    using stream = device.createStream();
    using start = device.createEvent();
    using end = device.createEvent();
    const launches = 100;
    const { rounds } = await measure(device, [{ name: 'small', enqueue }], {
      rounds: 3,
      launches,
      l2: 'warm',
    });
    const busyUs = median(rounds.flatMap(({ us }) => us.flat()));
    // The same commands as the stopwatch's, between two events of our own.
    const pairs = Array.from({ length: 2 * launches }, () => device.createEvent());
    enqueue(stream);
    stream.record(start);
    for (let i = 0; i < launches; i++) {
      stream.record(pairs[2 * i]!);
      enqueue(stream);
      stream.record(pairs[2 * i + 1]!);
    }
    stream.record(end);
    await stream.synchronize();
    const idleUs = (end.elapsedMs(start) * 1000) / launches - busyUs;
    for (const event of pairs) event.close();
    expect(idleUs).toBeLessThan(20);
  });

  /** An operation at a size, over operands of its own. */
  async function operation({ gemm }: DiscoveredKernel, n: number) {
    const loaded = await gemm.load(device);
    const buffer = () => device.allocateSync(n * n * 4);
    const operands: GemmOperands = { a: buffer(), b: buffer(), c: buffer() };
    const prepared = loaded.prepare({ m: n, n, k: n }, operands);
    return { enqueue: (stream: Stream) => prepared.enqueue(stream) };
  }

  const mediansOf = ({ rounds }: Awaited<ReturnType<typeof measure>>, contestant: number) =>
    rounds.filter(({ used }) => used).map(({ us }) => median(us[contestant] ?? []));

  test('an operation against itself is a draw', async () => {
    const { enqueue } = await operation(own.at(-1) as DiscoveredKernel, 1024);
    const twins: Contestant[] = ['first', 'second'].map((name) => ({ name, enqueue }));
    const measurement = await measure(device, twins);
    const ratio = pairedRatio(mediansOf(measurement, 0), mediansOf(measurement, 1));
    expect(ratio.median).toBeGreaterThan(0.98);
    expect(ratio.median).toBeLessThan(1.02);
  });

  test('doctor knows the GPU, and every canary survives', async () => {
    const report = await doctor(root);
    expect(report.cuda.devices[0]?.uuid).toMatch(/^GPU-/);
    const cuda = report.devices.find(({ kind }) => kind === 'cuda');
    expect(cuda).toMatchObject({ available: true, canary: { passed: true } });
    for (const { passed } of cuda?.available ? cuda.references : []) expect(passed).toBe(true);
  });
}
