import { setTimeout as sleep } from 'node:timers/promises';
import type { Buffer, Device, GemmShape, PreparedGemm, Stream } from '@ffma/core';
import { cublas, cublasPedantic, findCublas } from '@ffma/cublas-ref';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onGpu, openGpu } from './support/gpu.js';

/** A product of matrices that are one number each, on a stream of its own. */
class Constant implements Disposable {
  readonly stream: Stream;
  readonly #prepared: PreparedGemm;
  readonly #buffers: readonly Buffer[];
  readonly #length: number;

  constructor(
    device: Device,
    prepare: (operands: { a: Buffer; b: Buffer; c: Buffer }) => PreparedGemm,
    n: number,
  ) {
    this.#length = n * n;
    this.stream = device.createStream();
    const make = () => device.allocateSync(n * n * 4);
    const operands = { a: make(), b: make(), c: make() };
    this.#buffers = Object.values(operands);
    this.#prepared = prepare(operands);
  }

  async fill(a: number, b: number): Promise<void> {
    const [first, second] = this.#buffers as [Buffer, Buffer];
    await first.copyFrom(this.stream, new Float32Array(this.#length).fill(a));
    await second.copyFrom(this.stream, new Float32Array(this.#length).fill(b));
  }

  enqueue(): void {
    this.#prepared.enqueue(this.stream);
  }

  async values(): Promise<Set<number>> {
    const c = new Float32Array(this.#length);
    await (this.#buffers[2] as Buffer).copyTo(this.stream, c);
    return new Set(c);
  }

  [Symbol.dispose](): void {
    this.#prepared.close();
    for (const buffer of this.#buffers) buffer.close();
    this.stream.close();
  }
}

onGpu('cuBLAS on a GPU', () => {
  let device: Device;
  beforeAll(async () => {
    device = await openGpu();
  });
  afterAll(() => device[Symbol.asyncDispose]());

  const square = (n: number): GemmShape => ({ m: n, n, k: n });

  test('the artefact names the library that findCublas found', async () => {
    using loaded = await cublas.load(device);
    const { path, version } = await findCublas();
    expect(path).toMatch(/libcublas\.so/);
    expect(loaded.artefact).toMatchObject({
      ranAs: 'library',
      compiler: `cuBLAS ${version}`,
      mathMode: 'fp32',
      arch: device.arch,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    using pedantic = await cublasPedantic.load(device);
    expect(pedantic.artefact).toMatchObject({
      sha256: loaded.artefact.sha256,
      mathMode: 'fp32-pedantic',
    });
  });

  test('streams work side by side, each in its own workspace', async () => {
    using loaded = await cublas.load(device);
    const n = 512;
    const products = [1, 2, 3, 4].map(
      () => new Constant(device, (operands) => loaded.prepare(square(n), operands), n),
    );
    await Promise.all(products.map((product, i) => product.fill(i + 1, 2)));
    for (let round = 0; round < 50; round++) for (const product of products) product.enqueue();
    for (const [i, product] of products.entries())
      expect([...(await product.values())]).toEqual([(i + 1) * 2 * n]);
    for (const product of products) product[Symbol.dispose]();
  });

  test('the order on one stream is that of the calls, whatever the math mode', async () => {
    const n = 256;
    using plain = await cublas.load(device);
    using pedantic = await cublasPedantic.load(device);
    using stream = device.createStream();
    using c = await device.allocate(n * n * 4);
    using one = await device.allocate(n * n * 4);
    await one.copyFrom(stream, new Float32Array(n * n).fill(1));
    c.fill(stream, 0);
    using add = pedantic.prepare({ ...square(n), beta: 1 }, { a: one, b: one, c });
    using double = plain.prepare({ ...square(n), alpha: 0, beta: 2 }, { a: one, b: one, c });
    for (let i = 0; i < 3; i++) {
      add.enqueue(stream);
      double.enqueue(stream);
    }
    const values = new Float32Array(n * n);
    await c.copyTo(stream, values);
    expect([...new Set(values)]).toEqual([((n * 2 + n) * 2 + n) * 2]);
  });

  test('memory returns when everything is closed', async () => {
    const cycle = async () => {
      using loaded = await cublas.load(device);
      using product = new Constant(device, (operands) => loaded.prepare(square(256), operands), 256);
      product.enqueue();
      await product.stream.synchronize();
    };
    // What the driver and cuBLAS keep for good is taken in the first rounds.
    for (let i = 0; i < 3; i++) await cycle();
    const settled = async () => {
      await sleep(200);
      await device.synchronize();
      return device.memInfo().free;
    };
    const before = await settled();
    for (let i = 0; i < 20; i++) await cycle();
    await expect.poll(settled, { timeout: 10_000 }).toBe(before);
  });

  test('enqueueing a prepared product takes microseconds', async () => {
    using loaded = await cublas.load(device);
    using product = new Constant(device, (operands) => loaded.prepare(square(128), operands), 128);
    await product.fill(1, 1);
    const times: number[] = [];
    for (let i = 0; i < 10_000; i++) {
      const start = process.hrtime.bigint();
      product.enqueue();
      times.push(Number(process.hrtime.bigint() - start) / 1000);
      if (i % 500 === 0) await product.stream.synchronize();
    }
    times.sort((x, y) => x - y);
    const median = times[times.length / 2] as number;
    console.log(`enqueue of cublas: median ${median.toFixed(2)} µs`);
    // Nearly all of it is cuBLAS's own, and differs with version and host: this finds what is slower by far.
    expect(median).toBeLessThan(50);
  });

  test('a closed stream, buffer or library is told before the GPU sees it', async () => {
    const loaded = await cublas.load(device);
    using product = new Constant(device, (operands) => loaded.prepare(square(64), operands), 64);
    product.enqueue();
    product.stream.close();
    expect(() => product.enqueue()).toThrow(expect.objectContaining({ code: 'FFMA_CLOSED' }));
    loaded.close();
    expect(() => product.enqueue()).toThrow(expect.objectContaining({ code: 'FFMA_CLOSED' }));
  });
});
