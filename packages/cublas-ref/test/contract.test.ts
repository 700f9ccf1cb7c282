import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Buffer, type Device, type GemmShape, type LoadedGemm, openDevice } from '@ffma/core';
import { describeConformance } from '@ffma/verify/vitest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cublas, cublasPedantic, kernels } from '../src/index.js';
import { StubLibraries } from './support/stub-libraries.js';
import { StubWords } from './support/stub-words.js';

// cuBLAS and the driver are stubs that work on host memory. All that lies between them and a Gemm is real.

const libraries = new StubLibraries();
const words = new StubWords(libraries.folder);
beforeAll(() => {
  process.env.FFMA_LIBCUDA = libraries.driver();
  process.env.FFMA_LIBCUBLAS = libraries.cublas(13);
  process.env.FFMA_CACHE_DIR = libraries.folder;
});
afterAll(() => {
  words[Symbol.dispose]();
  libraries[Symbol.dispose]();
});

/** Handles are destroyed on other threads. */
const liveHandles = (count: number) => expect.poll(() => words.read('liveHandles')).toBe(count);

describeConformance(kernels, { device: () => openDevice('cuda') });

describe('on a device', () => {
  let device: Device;
  let loaded: LoadedGemm;
  const shape: GemmShape = { m: 2, n: 3, k: 4 };

  beforeEach(async () => {
    device = await openDevice('cuda');
    loaded = await cublas.load(device);
  });
  afterEach(async () => {
    for (const name of ['failCreate', 'failProduct', 'streamState'] as const) words.write(name, 0);
    loaded.close();
    await device[Symbol.asyncDispose]();
    await liveHandles(0);
    // A handle gives its context back on another thread, after it is gone: what is left would be counted in the next test.
    await expect.poll(() => words.read('retainedContexts')).toBe(0);
    expect(words.read('pushedContexts')).toBe(0);
    expect(words.read('streamsMissed')).toBe(0);
    expect(words.read('waitingDestroys')).toBe(0);
  });

  /** A, B and C of the shape. */
  const buffers = () =>
    [8, 12, 6].map((length) => device.allocateSync(length * 4)) as [Buffer, Buffer, Buffer];

  function prepare(own: Partial<GemmShape> = {}, from = loaded) {
    const [a, b, c] = buffers();
    return from.prepare({ ...shape, ...own }, { a, b, c });
  }

  test('the artefact says which library runs', () => {
    expect(loaded.artefact).toMatchObject({
      ranAs: 'library',
      arch: 'sm_90',
      compiler: 'cuBLAS 13.1.2',
      mathMode: 'fp32',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('a result is that of the row-major product', async () => {
    const [a, b, c] = buffers();
    const stream = device.createStream();
    await a.copyFrom(stream, new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]));
    await b.copyFrom(stream, new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1]));
    loaded.prepare(shape, { a, b, c }).enqueue(stream);
    const result = new Float32Array(6);
    await c.copyTo(stream, result);
    expect([...result]).toEqual([5, 6, 7, 13, 14, 15]);
  });

  test('a stream has one handle with its own workspace, however many operations and modes', async () => {
    using pedantic = await cublasPedantic.load(device);
    const before = words.read('createdHandles');
    const streams = [device.createStream(), device.createStream()] as const;
    const operations = [prepare(), prepare(), prepare({}, pedantic)] as const;
    for (const stream of streams) for (const each of operations) each.enqueue(stream);
    expect(words.read('createdHandles') - before).toBe(2);
    expect(words.read('workspaceBytes')).toBe(32 * 2 ** 20);
    expect(words.read('mathMode')).toBe(2);
    operations[0].enqueue(streams[0]);
    expect(words.read('mathMode')).toBe(0);
    expect(pedantic.artefact).toMatchObject({
      compiler: 'cuBLAS 13.1.2; pedantic math',
      mathMode: 'fp32-pedantic',
    });
    await liveHandles(2);
  });

  test('streams do not disturb each other', async () => {
    const n = 96;
    const values = new Float32Array(n * n).fill(1);
    const results = [];
    for (let i = 1; i <= 3; i++) {
      const [a, b, c] = [n, n, n].map(() => device.allocateSync(n * n * 4)) as [Buffer, Buffer, Buffer];
      const stream = device.createStream();
      await a.copyFrom(stream, values);
      await b.copyFrom(
        stream,
        values.map(() => i),
      );
      const operation = loaded.prepare({ m: n, n, k: n }, { a, b, c });
      for (let round = 0; round < 20; round++) operation.enqueue(stream);
      results.push({ c, stream, want: i * n });
    }
    for (const { c, stream, want } of results) {
      const got = new Float32Array(n * n);
      await c.copyTo(stream, got);
      expect([...new Set(got)]).toEqual([want]);
    }
  });

  test('handles and workspaces go with their streams, and with the last that was loaded', async () => {
    const operation = prepare();
    const { free } = device.memInfo();
    for (let i = 0; i < 10; i++) {
      using stream = device.createStream();
      operation.enqueue(stream);
      await liveHandles(1);
    }
    const other = await cublas.load(device);
    loaded.close();
    await liveHandles(1);
    other.close();
    await liveHandles(0);
    await device.synchronize();
    expect(device.memInfo().free).toBeGreaterThanOrEqual(free);
  });

  test('what was forgotten is collected, and the context with it', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const forget = async () => {
      const own: Device = await openDevice('cuda');
      const from = await cublas.load(own);
      const [a, b, c] = [8, 12, 6].map((length) => own.allocateSync(length * 4)) as [Buffer, Buffer, Buffer];
      from.prepare(shape, { a, b, c }).enqueue(own.createStream());
      await own.synchronize();
      own.close();
    };
    const before = words.read('retainedContexts');
    for (let i = 0; i < 5; i++) await forget();
    expect(words.read('retainedContexts')).toBeGreaterThan(before);
    const left = () => {
      collect();
      return words.read('liveHandles') === 0 && words.read('retainedContexts') <= before;
    };
    await expect.poll(left, { timeout: 10_000 }).toBe(true);
  });

  test('the device may be closed first: the handles go with it, and use after that is told', async () => {
    const retained = words.read('retainedContexts');
    const own = await openDevice('cuda');
    const from = await cublas.load(own);
    const operands = [8, 12, 6].map((length): Buffer => own.allocateSync(length * 4));
    const [a, b, c] = operands as [Buffer, Buffer, Buffer];
    const [first, second] = [own.createStream(), own.createStream()];
    const operation = from.prepare(shape, { a, b, c });
    for (let i = 0; i < 100; i++) operation.enqueue(first);
    operation.enqueue(second);
    await liveHandles(2);
    own.close();
    await liveHandles(0);
    const closed = expect.objectContaining({
      code: 'FFMA_CLOSED',
      message: expect.stringMatching(/CUDA device of a .* is closed/),
    });
    expect(() => operation.enqueue(first)).toThrow(closed);
    expect(() => from.prepare(shape, { a, b, c })).toThrow(closed);
    await expect(cublas.load(own)).rejects.toMatchObject({ code: 'FFMA_CLOSED' });
    from.close();
    // Core's own, and one for each handle.
    await expect.poll(() => words.read('retainedContexts')).toBe(retained);
    expect(words.read('createdHandles')).toBeGreaterThan(0);
  });

  test('a device that is closed while cuBLAS is loaded', async () => {
    const retained = words.read('retainedContexts');
    const own = await openDevice('cuda');
    const loading = cublas.load(own);
    own.close();
    await expect(loading).rejects.toMatchObject({ code: 'FFMA_CLOSED' });
    await expect.poll(() => words.read('retainedContexts')).toBe(retained);
  });

  test('what does nothing calls nothing', () => {
    const stream = device.createStream();
    const calls = () => words.read('products') + words.read('scalings');
    const before = calls();
    for (const own of [{ m: 0 }, { n: 0 }, { k: 0, beta: 1 }, { alpha: 0, beta: 1 }])
      prepare(own).enqueue(stream);
    expect(calls()).toBe(before);
  });

  test('use after close, and of another device, throws', async () => {
    const stream = device.createStream();
    const operation = prepare();
    await using other = await openDevice('cuda');
    const elsewhere = other.createStream();
    expect(() => operation.enqueue(elsewhere)).toThrow(expect.objectContaining({ code: 'FFMA_ARGUMENT' }));
    stream.close();
    expect(() => operation.enqueue(stream)).toThrow(/stream is closed/);
    operation.close();
    expect(() => operation.enqueue(device.createStream())).toThrow(/prepared operation is closed/);
    const second = prepare();
    loaded.close();
    expect(() => second.enqueue(device.createStream())).toThrow(/loaded library is closed/);
    expect(() => prepare()).toThrow(/loaded cublas is closed/);
  });

  test('a buffer that was closed is not handed to the library', () => {
    const [a, b, c] = buffers();
    const operation = loaded.prepare(shape, { a, b, c });
    b.close();
    expect(() => operation.enqueue(device.createStream())).toThrow(/buffer of an operand is closed/);
  });

  test('failures carry the name that cuBLAS gives them', () => {
    words.write('failProduct', 14);
    const operation = prepare();
    expect(() => operation.enqueue(device.createStream())).toThrow(
      expect.objectContaining({
        code: 'FFMA_UNSUPPORTED',
        native: 'CUBLAS_STATUS_INTERNAL_ERROR',
        call: 'cublasSgemm',
      }),
    );
    words.write('failProduct', 0);
    operation.enqueue(device.createStream());
  });

  test('a lost device is told from a failure of cuBLAS', () => {
    words.write('failProduct', 13);
    words.write('streamState', 700);
    expect(() => prepare().enqueue(device.createStream())).toThrow(
      expect.objectContaining({ code: 'FFMA_DEVICE_LOST', native: 'CUDA_ERROR_ILLEGAL_ADDRESS' }),
    );
  });

  test('load rejects where no handle can be made', async () => {
    words.write('failCreate', 1);
    await expect(cublas.load(device)).rejects.toMatchObject({
      code: 'FFMA_UNAVAILABLE',
      native: 'CUBLAS_STATUS_NOT_INITIALIZED',
      call: 'cublasCreate',
    });
    words.write('failCreate', 3);
    await expect(cublas.load(device)).rejects.toMatchObject({ code: 'FFMA_OUT_OF_MEMORY' });
  });

  test('load rejects on a device that is none of CUDA, and in a format', async () => {
    const other = { kind: 'emulator', name: 'emulated H200' } as Device;
    await expect(cublas.load(other)).rejects.toMatchObject({
      code: 'FFMA_UNAVAILABLE',
      message: expect.stringMatching(/cublas needs an NVIDIA GPU, but the device is emulated H200/),
    });
    await expect(cublas.load(device, { format: 'ptx' })).rejects.toMatchObject({ code: 'FFMA_UNSUPPORTED' });
  });
});
