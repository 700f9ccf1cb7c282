import { describe, expect, it } from 'vitest';
import { FakeDevice } from '../../test/support/fake-device.js';
import { sampleKernel } from '../../test/support/sample-kernel.js';
import type { Buffer } from '../device/buffer.js';
import type { TensorMapOptions } from '../device/tensor-map.js';
import { ClosedError } from '../errors.js';
import { defineKernel } from './define-kernel.js';
import type { GemmOperands } from './gemm.js';
import type { EntryParam } from './kernel-definition.js';
import { arg, type PlannedLaunch } from './plan.js';
import { prepareVariant } from './prepare.js';
import type { GemmShape } from './problem.js';

const resources = { main: { registers: 32, sharedBytes: 0, spillBytes: 0, estimated: true } };
const shape: GemmShape = { m: 32, n: 8, k: 16 };

const bytesOf = (type: EntryParam['type']) => (type === 'tensorMap' ? 128 : /^.32$/.test(type) ? 4 : 8);

async function setUp(kernel = sampleKernel()) {
  const device = new FakeDevice();
  device.paramSizes = kernel.entries.main?.signature.map(({ type }) => bytesOf(type)) ?? [];
  const loaded = await device.load({} as never);
  const a = device.allocateSync(32 * 16 * 4);
  const b = device.allocateSync(16 * 8 * 4);
  const c = device.allocateSync(32 * 8 * 4);
  const prepare = (refs: Partial<GemmOperands> = {}, own: Partial<GemmShape> = {}) =>
    prepareVariant(
      kernel,
      device.asDevice,
      loaded,
      resources,
      { ...shape, ...own },
      { a, b, c, ...refs },
      loaded,
    );
  return { device, loaded, a, b, c, prepare };
}

describe('prepare', () => {
  it('enqueues the plan, any number of times', async () => {
    const { device, a, b, c, prepare } = await setUp();
    using prepared = prepare({}, { alpha: 2 });
    using stream = device.createStream();
    prepared.enqueue(stream);
    prepared.enqueue(stream);
    expect(device.launches).toHaveLength(2);
    const [launch] = device.launches;
    expect(launch).toMatchObject({
      kernel: 'k90_bm32_s2_noprefetch',
      config: { grid: [1, 1, 1], block: [64, 1, 1] },
    });
    expect(launch?.args.slice(0, 3)).toEqual(
      [a, b, c].map((buffer) => ({ type: 'pointer', buffer, offset: 0 })),
    );
    expect(launch?.args.at(-2)).toEqual({ type: 'f32', value: 2 });
  });

  it('tells how many sums the products of an element are split into', async () => {
    const own = defineKernel({
      ...sampleKernel().definition,
      partialSums: ({ k }, { STAGES }) => k / STAGES,
    });
    using prepared = (await setUp(own)).prepare();
    expect(prepared.partialSums).toBe(8);
  });

  it('launches nothing where C is empty', async () => {
    const { device, prepare } = await setUp();
    using stream = device.createStream();
    prepare({}, { m: 0 }).enqueue(stream);
    expect(device.launches).toEqual([]);
  });

  it('passes byte offsets, and takes alignment from them', async () => {
    const { device, prepare } = await setUp();
    const wide = device.allocateSync(32 * 16 * 4 + 16);
    using stream = device.createStream();
    prepare({ a: { buffer: wide, byteOffset: 16 } }).enqueue(stream);
    expect(device.launches[0]?.args[0]).toMatchObject({ buffer: wide, offset: 16 });
    expect(() => prepare({ a: { buffer: wide, byteOffset: 4 } })).toThrow(
      /does not take this problem: Every row of A/,
    );
  });

  it.each([
    [
      { k: 17 },
      /A is 32×17 with leading dimension 17 at byte 0, so it needs 2176 bytes, but its buffer has 2048/,
    ],
    [{ ldb: 12 }, /B is 16×8 with leading dimension 12/],
    [{ ldc: 16 }, /C is 32×8/],
    [{ m: 8 }, /m must be a multiple of 32, but is 8/],
  ])('refuses %j', async (own, message) => {
    const { prepare } = await setUp();
    expect(() => prepare({}, own)).toThrow(message);
  });

  it('refuses operands that overlap C, and only those', async () => {
    const { device, a, prepare } = await setUp();
    expect(() => prepare({ c: a })).toThrow(/C overlaps A in memory/);
    const both = device.allocateSync(32 * 16 * 4 + 32 * 8 * 4);
    prepare({ a: both, c: { buffer: both, byteOffset: 32 * 16 * 4 } }).close();
    expect(() => prepare({ a: both, c: { buffer: both, byteOffset: 32 * 16 * 4 - 16 } })).toThrow(
      /C overlaps A/,
    );
    prepare({ b: a, a }).close();
  });

  it('refuses closed buffers, those of another device, and odd offsets', async () => {
    const { device, a, prepare } = await setUp();
    const other = new FakeDevice().allocateSync(a.byteLength);
    expect(() => prepare({ a: other })).toThrow(/A lives on another device/);
    expect(() => prepare({ b: { buffer: a, byteOffset: 2 } })).toThrow(
      /byte offset of B must be a multiple of 4/,
    );
    const gone = device.allocateSync(2048);
    gone.close();
    expect(() => prepare({ a: gone })).toThrow(/buffer of A is closed/);
  });

  it('refuses what is no operand and no stream with a typed error', async () => {
    const { device, loaded, prepare } = await setUp();
    const bare = (operands: unknown) => () =>
      prepareVariant(sampleKernel(), device.asDevice, loaded, resources, shape, operands as never, loaded);
    const refused = (call: () => unknown, message: RegExp) =>
      expect(call).toThrow(
        expect.objectContaining({ code: 'FFMA_ARGUMENT', message: expect.stringMatching(message) }),
      );
    refused(bare(null), /operands must be \{ a, b, c \}, but are null/);
    refused(() => prepare({ c: undefined as never }), /C must be a buffer or .* but is undefined/);
    refused(() => prepare({ b: { byteOffset: 4 } as never }), /B must be a buffer or .* but is an object/);
    refused(() => prepare({ a: { buffer: 5 } as never }), /A must be a buffer/);
    using prepared = prepare();
    refused(() => prepared.enqueue(undefined as never), /on a stream of its device, but got undefined/);
    refused(() => prepared.enqueue(7 as never), /but got 7/);
    expect(device.launches).toEqual([]);
  });

  it('refuses a stream of another device, and use after close', async () => {
    const { device, prepare } = await setUp();
    const prepared = prepare();
    expect(() => prepared.enqueue(new FakeDevice().createStream())).toThrow(
      /stream belongs to another device/,
    );
    prepared.close();
    expect(() => prepared.enqueue(device.createStream())).toThrow(/prepared operation is closed/);
  });

  it('refuses to enqueue when the loaded kernel is closed', async () => {
    const { device, loaded, prepare } = await setUp();
    using prepared = prepare();
    loaded.close();
    expect(() => prepared.enqueue(device.createStream())).toThrow(ClosedError);
    expect(device.launches).toEqual([]);
  });
});

describe('the launches of a plan', () => {
  const withLaunch = (change: (usual: PlannedLaunch) => Partial<PlannedLaunch>) => {
    const { definition } = sampleKernel();
    return defineKernel({
      ...definition,
      plan: (problem, params, device, own) => {
        const [usual] = definition.plan(problem, params, device, own).launches;
        return { launches: [{ ...usual, ...change(usual as PlannedLaunch) } as PlannedLaunch] };
      },
    });
  };

  it.each<[string, (usual: PlannedLaunch) => Partial<PlannedLaunch>, RegExp]>([
    ['an unknown entry', () => ({ entry: 'toString' }), /has no entry 'toString'; it has main/],
    [
      'a number that its parameter cannot hold',
      ({ args }) => ({ args: args.with(4, arg.i32(2 ** 31)) }),
      /Argument n of entry main of k90_\S+ is i32, so it must be an integer in .* but is 2147483648/,
    ],
    ['a cluster that is not of whole blocks', () => ({ cluster: [0, 1, 1] }), /Cluster extent x .* is 0/],
    [
      'too few arguments',
      ({ args }) => ({ args: args.slice(1) }),
      /entry main of k90_bm32_s2_noprefetch takes 11 arguments \(a, b, .*but its plan gives 10/,
    ],
    [
      'a number of another type, though of the same size',
      ({ args }) => ({ args: args.with(4, arg.f32(8)) }),
      /Argument n of entry main of k90_\S+ is declared i32, so its plan must give i32, but gives f32/,
    ],
    [
      'a number where a pointer is declared',
      ({ args }) => ({ args: args.with(1, arg.i64(0)) }),
      /Argument b .* is declared in, so its plan must give operand or scratch, but gives i64/,
    ],
  ])('must not have %s', async (_, change, message) => {
    const { prepare } = await setUp(withLaunch(change));
    expect(() => prepare()).toThrow(message);
  });

  it('must fit the kernel that was loaded', async () => {
    const { device, prepare } = await setUp();
    const load = async () => {
      const loaded = await device.load({} as never);
      const operands = [2048, 512, 1024].map((bytes) => device.allocateSync(bytes));
      const [a, b, c] = operands as [Buffer, Buffer, Buffer];
      return () =>
        prepareVariant(sampleKernel(), device.asDevice, loaded, resources, shape, { a, b, c }, loaded);
    };
    prepare().close();
    device.paramSizes = device.paramSizes.with(3, 8);
    expect(await load()).toThrow(/Argument m of entry main of k90_\S+ must be 8 bytes, but i32 is 4/);
    device.maxThreadsPerBlock = 32;
    expect(await load()).toThrow(/at most 32 threads a block, but got 64/);
  });
});

describe('dynamic shared memory', () => {
  const withShared = (derived: number, planned: number) => {
    const { definition } = sampleKernel();
    return defineKernel({
      ...definition,
      derive: (params) => ({ ...definition.derive(params), dynamicSharedBytes: derived }),
      plan: (...given) => ({
        launches: definition.plan(...given).launches.map((one) => ({ ...one, sharedBytes: planned })),
      }),
    });
  };

  it('is launched with as much as derive() says', async () => {
    const { device, prepare } = await setUp(withShared(65_536, 65_536));
    using stream = device.createStream();
    prepare().enqueue(stream);
    expect(device.launches[0]?.config.sharedBytes).toBe(65_536);
  });

  it.each([
    [65_536, 0],
    [0, 1024],
  ])('of %i bytes is not launched with %i', async (derived, planned) => {
    const { prepare } = await setUp(withShared(derived, planned));
    expect(() => prepare()).toThrow(
      `entry main of k90_bm32_s2_noprefetch passes ${derived} bytes of dynamic shared memory, as its derive() says, ` +
        `but its plan gives ${planned}.`,
    );
  });
});

describe('tensor maps', () => {
  const tiles = { operand: 'b', rows: 16, cols: 8, tile: [16, 8], byteOffset: 32, swizzle: '32B' } as const;
  const withMap = defineKernel({
    ...sampleKernel().definition,
    entries: { main: { fn: 'gemm', signature: [{ name: 'b', type: 'tensorMap' }] } },
    plan: () => ({
      launches: [
        { entry: 'main', grid: [1, 1, 1], block: [64, 1, 1], sharedBytes: 0, args: [arg.tiles(tiles)] },
      ],
    }),
  });

  it('are made of the operand, from where it starts', async () => {
    const { device, prepare } = await setUp(withMap);
    const asked: unknown[] = [];
    const bytes = new Uint8Array(128);
    Object.assign(device.asDevice, {
      encodeTensorMap: ({ buffer, ...rest }: TensorMapOptions) => {
        asked.push(rest);
        return { buffer, bytes };
      },
    });
    const buffer = device.allocateSync(16 * 8 * 4 + 64);
    using prepared = prepare({ b: { buffer, byteOffset: 64 } });
    using stream = device.createStream();
    prepared.enqueue(stream);
    expect(asked).toEqual([{ rows: 16, cols: 8, tile: [16, 8], byteOffset: 96, swizzle: '32B' }]);
    expect(device.launches[0]?.args).toEqual([{ type: 'tensorMap', map: { buffer, bytes } }]);
  });

  it('are refused by name on a device that cannot make them', async () => {
    const { prepare } = await setUp(withMap);
    expect(() => prepare()).toThrow(
      /^k90_bm32_s2_noprefetch copies tiles by a tensor memory accelerator, and .* has none/,
    );
  });

  it('are no pointers', async () => {
    const { definition } = withMap;
    const main = { fn: 'gemm', signature: [{ name: 'b', type: 'in' }] } as const;
    const { prepare } = await setUp(defineKernel({ ...definition, entries: { main } }));
    expect(() => prepare()).toThrow(
      'is declared in, so its plan must give operand or scratch, but gives tensorMap',
    );
  });
});

describe('scratch buffers', () => {
  const withScratch = (grid: number) =>
    defineKernel({
      ...sampleKernel().definition,
      entries: { main: { fn: 'gemm', signature: [{ name: 'sums', type: 'ptr' }] } },
      plan: () => ({
        scratch: [{ name: 'sums', byteLength: 64 }],
        launches: [
          {
            entry: 'main',
            grid: [grid, 1, 1],
            block: [64, 1, 1],
            sharedBytes: 0,
            args: [arg.scratch('sums')],
          },
        ],
      }),
    });

  it('live as long as the prepared operation', async () => {
    const { device, prepare } = await setUp(withScratch(1));
    const before = device.open.size;
    const prepared = prepare();
    expect(device.open.size).toBe(before + 1);
    using stream = device.createStream();
    prepared.enqueue(stream);
    expect(device.launches[0]?.args[0]).toMatchObject({ type: 'pointer', buffer: { byteLength: 64 } });
    prepared.close();
    expect(device.open.size).toBe(before + 1);
  });

  it('are freed where a launch breaks the limits of the device', async () => {
    const { device, prepare } = await setUp(withScratch(2 ** 31));
    const before = device.open.size;
    expect(() => prepare()).toThrow(/Grid extent x must be an integer in 1\.\.2147483647/);
    expect(device.open.size).toBe(before);
  });
});
