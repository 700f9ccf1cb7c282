import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CudaDevice, CudaStream } from '../dist/cuda/index.js';
import { type Buffer, type KernelArg, launch, ObjectCode, openDevice } from '../dist/index.js';
import { buildFakeCuda } from './support/fake-cuda.js';
import { Scratch } from './support/fake-tools.js';

const scratch = new Scratch();
let device: CudaDevice;
let other: CudaDevice;

beforeAll(async () => {
  process.env.FFMA_LIBCUDA = buildFakeCuda(scratch);
  device = await openDevice('cuda');
  other = await openDevice('cuda');
});
afterAll(() => {
  device.close();
  other.close();
  scratch[Symbol.dispose]();
});

const kernels = ObjectCode.fromPtx('kernels add:8,4,4 mapped:4,128,8', { name: 'fake kernels' });
const config = { grid: [1, 1, 1], block: [32, 1, 1] } as const;
const add = (buffer: Buffer, offset = 0): KernelArg[] => [
  { type: 'pointer', buffer, offset },
  { type: 'f32', value: 2 },
  { type: 'i32', value: 1 },
];

/** The four ways to a launch. */
const ways = {
  launch: (stream, kernel, args) => launch(stream, config, kernel, ...args),
  enqueueLaunch: (stream, kernel, args) => stream.enqueueLaunch(config, kernel, args),
  'prepareLaunches of the device': (stream, kernel, args) =>
    stream.device.prepareLaunches([{ config, kernel, args }]).enqueue(stream),
  'prepareLaunches with a good one before it': (stream, kernel, args) => {
    const good = stream.device.allocateSync(4);
    stream.device.prepareLaunches([
      { config, kernel, args: add(good) },
      { config, kernel, args },
    ]);
  },
} satisfies Record<
  string,
  (stream: CudaStream, kernel: ReturnType<typeof kernelOf>, args: KernelArg[]) => void
>;

const kernelOf = (loaded: Awaited<ReturnType<CudaDevice['load']>>, name = 'add') => loaded.kernel(name);

describe.each(Object.entries(ways))('%s', (_, way) => {
  it('refuses arguments of another device, closed ones and what does not fit, and launches nothing', async () => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    using buffer = await device.allocate(8);
    buffer.fill(stream, 0);
    const closed = await device.allocate(8);
    closed.close();
    using foreign = await other.allocate(8);
    using elsewhere = await other.load(kernels);
    const kernel = kernelOf(loaded);
    const refused = (args: KernelArg[], code: string, message: RegExp, own = kernel) =>
      expect(() => way(stream, own, args)).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(message) }),
      );
    refused(add(foreign), 'FFMA_ARGUMENT', /Argument 0 of kernel add points to a buffer of another device/);
    refused(add(closed), 'FFMA_CLOSED', /buffer of argument 0 of kernel add is closed/);
    refused(add(buffer, 9), 'FFMA_ARGUMENT', /buffer of 8 bytes, but the offset is 9/);
    refused(add(buffer).slice(1), 'FFMA_ARGUMENT', /takes 3 arguments, but got 2/);
    refused(
      [...add(buffer).slice(0, 2), { type: 'f64', value: 1 }],
      'FFMA_ARGUMENT',
      /Argument 2 .* 4 bytes, but f64 is 8/,
    );
    refused(
      add(buffer),
      'FFMA_ARGUMENT',
      /add was loaded on another device than the launch is for/,
      kernelOf(elsewhere),
    );
    const values = new Float32Array(2);
    await buffer.copyTo(stream, values);
    expect([...values]).toEqual([0, 0]);
  });
});

describe('a tensor map', () => {
  const options = (buffer: Buffer) => ({ buffer, byteOffset: 16, rows: 4, cols: 8, tile: [2, 4] }) as const;

  it('is passed by value, aligned as the kernel wants it', async () => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    using matrix = await device.allocate(160);
    using out = await device.allocate(4);
    await matrix.copyFrom(
      stream,
      Float32Array.from({ length: 40 }, (_, i) => i),
    );
    const map = device.encodeTensorMap(options(matrix));
    expect(map).toMatchObject({ buffer: matrix, bytes: { length: 128 } });
    const kernel = kernelOf(loaded, 'mapped');
    expect(kernel.paramSizes).toEqual([4, 128, 8]);
    launch(
      stream,
      config,
      kernel,
      { type: 'i32', value: 12 },
      { type: 'tensorMap', map },
      { type: 'pointer', buffer: out },
    );
    const value = new Float32Array(1);
    await out.copyTo(stream, value);
    // 16 bytes of the map's offset and 12 of the kernel's.
    expect(value[0]).toBe(7);
  });

  it('is refused where its matrix is closed or elsewhere, and where the kernel has no such parameter', async () => {
    using stream = device.createStream();
    using loaded = await device.load(kernels);
    using out = await device.allocate(4);
    const matrix = await device.allocate(160);
    const kernel = kernelOf(loaded, 'mapped');
    const args = (map: ReturnType<CudaDevice['encodeTensorMap']>): KernelArg[] => [
      { type: 'i32', value: 0 },
      { type: 'tensorMap', map },
      { type: 'pointer', buffer: out },
    ];
    using foreign = await other.allocate(160);
    expect(() => launch(stream, config, kernel, ...args(other.encodeTensorMap(options(foreign))))).toThrow(
      /Argument 1 of kernel mapped points to a buffer of another device/,
    );
    expect(() => device.encodeTensorMap(options(foreign))).toThrow(/another device/);
    const map = device.encodeTensorMap(options(matrix));
    expect(() => stream.enqueueLaunch(config, kernelOf(loaded), [...args(map)].reverse())).toThrow(
      /Argument 1 of kernel add must be 4 bytes, but tensorMap is 128/,
    );
    expect(() => launch(stream, config, kernel, ...args({ buffer: out, bytes: new Uint8Array(64) }))).toThrow(
      /must have 128 bytes, but has 64.*encodeTensorMap/,
    );
    const batch = device.prepareLaunches([{ config, kernel, args: args(map) }]);
    matrix.close();
    expect(() => batch.enqueue(stream)).toThrow(expect.objectContaining({ code: 'FFMA_CLOSED' }));
    expect(() => launch(stream, config, kernel, ...args(map))).toThrow(/buffer of argument 1 .* is closed/);
    expect(() => device.encodeTensorMap(options(matrix))).toThrow(/buffer is closed/);
  });
});
