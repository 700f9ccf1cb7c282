import type { DefinedKernel } from '@ffma/core';
import { k14, streamkDeterministic } from '@ffma/streamk';
import { doubleReference, hardBoundGate, makeProblemData } from '@ffma/verify';
import { expect, test } from 'vitest';
import { onGpu, openGpu } from '../../../../scripts/gpu/kernels-on-gpu.js';

const RUNS = 100;
const NAN = 0x7fc00000;
const shape = { m: 1024, n: 1024, k: 1024 };

onGpu(`${RUNS} runs at 1024³`, () => {
  const data = makeProblemData(shape, { data: 'uniform', guards: 'none' });
  const reference = doubleReference(data);

  /** C of every run, each into NaNs. */
  async function* runs(kernel: DefinedKernel) {
    await using device = await openGpu();
    using loaded = await kernel.load(device);
    const [a, b, c] = [1, 2, 3].map(() => device.allocateSync(4 * 1024 * 1024));
    if (a === undefined || b === undefined || c === undefined) throw new Error('There are three matrices.');
    using stream = device.createStream();
    await a.copyFrom(stream, data.a.words);
    await b.copyFrom(stream, data.b.words);
    using operation = loaded.prepare(shape, { a, b, c });
    for (let run = 0; run < RUNS; run++) {
      const got = new Float32Array(1024 * 1024);
      c.fill(stream, NAN);
      operation.enqueue(stream);
      await c.copyTo(stream, got);
      yield { got, partialSums: operation.partialSums ?? 1 };
    }
  }

  test.each([k14, streamkDeterministic])(
    '$id is within its bound each time',
    async (kernel) => {
      const { atomicSums } = kernel;
      let count = 0;
      for await (const { got, partialSums } of runs(kernel)) {
        const gate = hardBoundGate({ ...shape, alpha: 1, beta: 0, got, reference, partialSums, atomicSums });
        expect(gate, gate.sentence).toMatchObject({ passed: true });
        count++;
      }
      expect(count).toBe(RUNS);
    },
    120_000,
  );

  test('streamk-deterministic gives the same bits each time', async () => {
    let first: Buffer | undefined;
    let same = 0;
    for await (const { got } of runs(streamkDeterministic)) {
      const bits = Buffer.from(got.buffer);
      first ??= bits;
      if (bits.equals(first)) same++;
    }
    expect(same).toBe(RUNS);
  }, 120_000);
});
