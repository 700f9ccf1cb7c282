import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CudaBuffer, CudaDevice, CudaStream } from '../dist/cuda/index.js';
import { type KernelArg, type LaunchConfig, launch, ObjectCode, openDevice } from '../dist/index.js';
import { buildFakeCuda } from './support/fake-cuda.js';
import { Scratch } from './support/fake-tools.js';

const scratch = new Scratch();
let device: CudaDevice;
let other: CudaDevice;
let stream: CudaStream;
let buffer: CudaBuffer;

beforeAll(async () => {
  process.env.FFMA_LIBCUDA = buildFakeCuda(scratch);
  device = await openDevice('cuda');
  other = await openDevice('cuda');
  stream = device.createStream();
  buffer = await device.allocate(256);
});
afterAll(() => {
  device.close();
  other.close();
  scratch[Symbol.dispose]();
});

const kernels = ObjectCode.fromPtx('kernels add:8,4,4', { name: 'fake kernels' });
const config: LaunchConfig = { grid: [1, 1, 1], block: [32, 1, 1] };
const refused = (call: () => unknown, message: RegExp, code = 'FFMA_ARGUMENT') =>
  expect(call).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
const bytes = new Uint8Array(4);
// What TypeScript would not let through.
const any = (value: unknown) => value as never;

describe('a buffer', () => {
  it.each([undefined, null, 5, {}, 'x'])('takes %o neither as stream nor as memory', (value) => {
    refused(
      () => buffer.copyFrom(any(value), bytes),
      /A stream of the device of the buffer is needed, but got/,
    );
    refused(
      () => buffer.copyTo(any(value), bytes),
      /A stream of the device of the buffer is needed, but got/,
    );
    refused(() => buffer.fill(any(value), 0), /A stream of the device of the buffer is needed, but got/);
    refused(
      () => buffer.copyFrom(stream, any(value)),
      /source of a copy, .* typed array or a DataView, but is/,
    );
    refused(() => buffer.copyTo(stream, any(value)), /target of a copy must be a typed array or a DataView/);
  });

  it('says of bare memory what to do with it, and takes no buffer for a stream', () => {
    refused(() => buffer.copyFrom(stream, any(new ArrayBuffer(4))), /is an ArrayBuffer.*new Uint8Array/);
    refused(() => buffer.copyTo(stream, any(new SharedArrayBuffer(4))), /is a SharedArrayBuffer.*new Uint8/);
    refused(
      () => buffer.fill(any(buffer), 0),
      /A stream of the device of the buffer is needed, but got a CudaBuffer/,
    );
    refused(
      () => buffer.fill(other.createStream(), 0),
      /The stream belongs to another device than the buffer/,
    );
    refused(() => buffer.fill(stream, 0, any(Symbol('x'))), /at byte Symbol\(x\) do not fit/);
  });

  it('does not copy memory that was transferred elsewhere', () => {
    const gone = new Uint8Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(() => buffer.copyFrom(stream, gone)).toThrow(/^The array is detached: its memory was transferred/);
    expect(() => buffer.copyTo(stream, gone)).toThrow(/^The array is detached/);
  });

  it('has no address once it is closed', async () => {
    const gone = await device.allocate(16);
    expect(gone.address).toBeTypeOf('bigint');
    gone.close();
    refused(() => gone.address, /buffer is closed/, 'FFMA_CLOSED');
  });
});

describe('a device', () => {
  it.each([5, null, undefined, {}, 'text'])('does not load %o', async (value) => {
    await expect(device.load(any(value))).rejects.toMatchObject({
      code: 'FFMA_ARGUMENT',
      message: expect.stringMatching(/must be an ObjectCode, but is .*ObjectCode\.fromPtx/),
    });
  });

  it.each([-1, 1.5, 16n, '0', null])('has no index %s', async (index) => {
    await expect(openDevice('cuda', { index: any(index) })).rejects.toMatchObject({
      code: 'FFMA_ARGUMENT',
      message: expect.stringMatching(/option index must be a whole number, but is/),
    });
    refused(() => device.allocateSync(any(Symbol('x'))), /whole number of bytes, but got Symbol\(x\)/);
  });

  it('refuses launches and options that are none', () => {
    refused(() => device.prepareLaunches(any(5)), /as an array, but got 5/);
    refused(() => device.prepareLaunches(any([{}])), /Launch 0 must be/);
    refused(() => device.prepareLaunches([{ config, kernel: any(null), args: [] }]), /needs a kernel/);
    const batch = device.prepareLaunches([]);
    refused(
      () => batch.enqueue(any(undefined)),
      /A stream of the device of the launches is needed, but got undefined/,
    );
    refused(() => batch.enqueue(any({ device, number: 12345 })), /is needed, but got an object/);
    refused(() => device.createEvent(any(5)), /options of createEvent must be an object/);
    refused(() => device.createEvent(any({ timing: 1 })), /timing of an event must be a boolean, but is 1/);
  });

  it.each([0, -1, Number.NaN, 1025, 1e9, '32', undefined, 1.5, null])(
    'has no occupancy of blocks of %s threads',
    async (threads) => {
      using loaded = await device.load(kernels);
      const kernel = loaded.kernel('add');
      refused(() => device.occupancy(kernel, any(threads)), /Block extent x must be an integer in 1\.\.1024/);
      refused(() => device.occupancy(any(undefined), 32), /needs a kernel of a loaded object/);
      expect(device.occupancy(kernel, 32)).toBeGreaterThan(0);
    },
  );
});

describe('an event', () => {
  it('is measured from events of its device alone', async () => {
    using event = device.createEvent();
    stream.record(event);
    await event.synchronize();
    refused(() => event.elapsedMs(other.createEvent()), /start event belongs to another device/);
    refused(
      () => event.elapsedMs(any(null)),
      /A start event of the device of the event is needed, but got null/,
    );
    refused(() => stream.record(any(7)), /event of the device of the stream is needed, but got 7/);
  });
});

describe('a launch', () => {
  const args = (change: Partial<Record<number, KernelArg>>): KernelArg[] => [
    change[0] ?? { type: 'pointer', buffer },
    change[1] ?? { type: 'f32', value: 2 },
    change[2] ?? { type: 'i32', value: 1 },
  ];

  it.each<[Partial<Record<number, unknown>>, RegExp]>([
    [{ 2: { type: 'i32', value: Number.NaN } }, /Argument 2 of kernel add is i32, .* is NaN/],
    [{ 2: { type: 'i32', value: '4' } }, /is i32, .* '4'/],
    [{ 2: { type: 'u32', value: -1 } }, /is u32, .* 0\.\.4294967295 but is -1/],
    [{ 1: { type: 'f32', value: 'a' } }, /Argument 1 of kernel add is f32, .* 'a'/],
    [{ 0: { type: 'u64', value: 2n ** 64n } }, /Argument 0 of kernel add is u64, .* 18446744073709551616n/],
    [{ 0: { type: 'i64', value: 1.5 } }, /is i64, .* is 1\.5/],
    [{ 0: { type: 'x' } }, /type of argument 0 .* is 'x'/],
  ])('checks the numbers %o, whichever way they come', async (change, message) => {
    using loaded = await device.load(kernels);
    const kernel = loaded.kernel('add');
    const bad = args(change as Partial<Record<number, KernelArg>>);
    refused(() => launch(stream, config, kernel, ...bad), message);
    refused(() => stream.enqueueLaunch(config, kernel, bad), message);
    refused(() => device.prepareLaunches([{ config, kernel, args: bad }]), message);
  });

  it('checks clusters', async () => {
    using loaded = await device.load(kernels);
    const kernel = loaded.kernel('add');
    for (const cluster of [[3, 1, 1], [0, 1, 1], [Number.NaN, 1, 1], 32, null]) {
      refused(() => launch(stream, { ...config, cluster: any(cluster) }, kernel, ...args({})), /^Cluster /);
    }
    launch(stream, { ...config, grid: [2, 1, 1], cluster: [2, 1, 1] }, kernel, ...args({}));
    await stream.synchronize();
  });
});

describe('a tensor map', () => {
  const usual = () => ({ buffer, rows: 4, cols: 8, tile: [4, 4] }) as const;

  it.each<[object, RegExp]>([
    [{ rows: 0 }, /number of rows is an integer in 1\.\.4294967296, but it is 0/],
    [{ cols: 1.5 }, /number of cols is an integer .* 1\.5/],
    [{ rows: '4' }, /number of rows .* '4'/],
    [{ tile: '44' }, /tile is two extents \[rows, cols\], but it is '44'/],
    [{ tile: [4, 4, 4] }, /tile is two extents/],
    [{ tile: ['4', 4] }, /1 to 256 rows and columns, but it is '4'/],
    [{ swizzle: 'x' }, /swizzle is one of none, 32B, 64B, 128B, but it is 'x'/],
    [{ swizzle: 'toString' }, /swizzle is one of .* 'toString'/],
    [{ swizzle: '32B', tile: [4, 16] }, /fits into the 32 bytes of its swizzle, but it is 64/],
    [{ l2Promotion: 'constructor' }, /l2Promotion is one of none, 64B, 128B, 256B, but it is 'constructor'/],
    [{ buffer: undefined }, /needs \{ buffer, rows, cols, tile \}, but the buffer is undefined/],
  ])('is not made with %o', (change, message) => {
    refused(() => device.encodeTensorMap({ ...usual(), ...change }), message);
    expect(device.encodeTensorMap(usual()).bytes).toHaveLength(128);
  });

  it('needs options', () => {
    refused(() => device.encodeTensorMap(any(undefined)), /needs \{ buffer, rows, cols, tile \}/);
  });
});
