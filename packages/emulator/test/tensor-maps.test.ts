import { type Buffer, type KernelArg, launch, ObjectCode, type TensorMapOptions } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { tilePtx } from '../../core/test/gpu/support/tensor-map-kernel.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
const early = new EmulatorDevice({
  cache: false,
  workers: 1,
  checks: false,
  schedule: { order: 'forward', copies: 'early' },
});
afterAll(() => {
  device.close();
  early.close();
});

const rows = 300;
const cols = 90;
const ld = 100;
/** Elements before the matrix. */
const before = 8;
/** Element i, j is 1000·i + j + 1, so 0 is none of them. */
const element = (i: number, j: number) => (i >= 0 && i < rows && j >= 0 && j < cols ? 1000 * i + j + 1 : 0);

type Shape = Pick<TensorMapOptions, 'tile' | 'swizzle' | 'l2Promotion'>;

async function matrixOn(on: EmulatorDevice): Promise<Buffer> {
  using stream = on.createStream();
  const values = new Float32Array(before + rows * ld).fill(-1);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) values[before + i * ld + j] = element(i, j);
  const buffer = on.allocateSync(values.byteLength);
  await buffer.copyFrom(stream, values);
  return buffer;
}

const optionsOf = (buffer: Buffer, shape: Shape): TensorMapOptions => ({
  buffer,
  byteOffset: before * 4,
  rows,
  cols,
  ld,
  ...shape,
});

/** Where element r, c of a tile lies in shared memory: bits of the row of 128 bytes are mixed into those of the piece. */
function place(r: number, c: number, { tile, swizzle = 'none' }: Shape): number {
  const at = r * tile[1] + c;
  const bits = { none: 0, '32B': 1, '64B': 2, '128B': 3 }[swizzle];
  return at ^ (((at >> 5) & ((1 << bits) - 1)) << 2);
}

async function tileOf(
  on: EmulatorDevice,
  at: readonly [row: number, col: number],
  shape: Shape,
  bytes: number,
) {
  using matrix = await matrixOn(on);
  using stream = on.createStream();
  using object = await on.load(ObjectCode.fromPtx(tilePtx, { name: 'tile.ptx' }));
  const size = shape.tile[0] * shape.tile[1];
  using out = on.allocateSync(4 * size);
  out.fill(stream, 0x7fc00000);
  const args: KernelArg[] = [
    { type: 'pointer', buffer: out },
    { type: 'tensorMap', map: on.encodeTensorMap(optionsOf(matrix, shape)) },
    { type: 'i32', value: at[0] },
    { type: 'i32', value: at[1] },
    { type: 'u32', value: bytes },
  ];
  const config = { grid: [1, 1, 1], block: [128, 1, 1], sharedBytes: 4 * size } as const;
  launch(stream, config, object.kernel('tile'), ...args);
  const result = new Float32Array(size);
  await out.copyTo(stream, result);
  return result;
}

// The cases that packages/core/test/gpu/tensor-maps.test.ts has for a GPU.
const cases: readonly [what: string, row: number, col: number, shape: Shape][] = [
  ['inside', 16, 32, { tile: [16, 32] }],
  ['one row', 299, 0, { tile: [1, 4] }],
  ['over the right edge: not the padding, but zeros', 40, 80, { tile: [8, 32] }],
  ['over the last row', 292, 8, { tile: [32, 16] }],
  ['over the left and upper edges', -3, -8, { tile: [16, 32] }],
  ['wholly outside', 400, 400, { tile: [16, 16] }],
  ['of the largest extent', 30, 20, { tile: [256, 64] }],
  ['swizzled by 128 bytes', 8, 4, { tile: [64, 32], swizzle: '128B' }],
  ['swizzled by 64 bytes', 8, 4, { tile: [64, 16], swizzle: '64B' }],
  ['swizzled by 32 bytes, over an edge', 290, 84, { tile: [64, 8], swizzle: '32B' }],
];

describe.each([
  ['with all checks', device],
  ['without checks, copies early', early],
])('a tile %s', (_, on) => {
  test.each(cases)('%s', async (__, row, col, shape) => {
    const [height, width] = shape.tile;
    const expected = new Float32Array(height * width);
    for (let r = 0; r < height; r++)
      for (let c = 0; c < width; c++) expected[place(r, c, shape)] = element(row + r, col + c);
    expect(await tileOf(on, [row, col], shape, 4 * height * width)).toEqual(expected);
  });
});

describe('what is refused', () => {
  test.each([
    ['a column that is no multiple of 16 bytes', [0, 2], 2048, 'bulk-copy', /column that is a multiple of 4/],
    [
      'fewer bytes expected than the tile has',
      [0, 0],
      1024,
      'mbarrier',
      /1024 bytes more than were announced/,
    ],
  ] as const)('%s', async (_, at, bytes, kind, says) => {
    const run = tileOf(device, at, { tile: [16, 32] }, bytes);
    await expect(run).rejects.toMatchObject({ kind, message: expect.stringMatching(says) });
  });

  test('maps of other devices, and bytes that are none', async () => {
    using stream = device.createStream();
    using matrix = await matrixOn(device);
    using other = await matrixOn(early);
    using object = await device.load(ObjectCode.fromPtx(tilePtx, { name: 'tile.ptx' }));
    const shape: Shape = { tile: [16, 32] };
    const run = (map: KernelArg) =>
      launch(
        stream,
        { grid: [1, 1, 1], block: [128, 1, 1], sharedBytes: 2048 },
        object.kernel('tile'),
        { type: 'pointer', buffer: matrix },
        map,
        { type: 'i32', value: 0 },
        { type: 'i32', value: 0 },
        { type: 'u32', value: 2048 },
      );
    expect(() => run({ type: 'tensorMap', map: early.encodeTensorMap(optionsOf(other, shape)) })).toThrow(
      /buffer of another device/,
    );
    expect(() => run({ type: 'tensorMap', map: { buffer: matrix, bytes: new Uint8Array(128) } })).toThrow(
      /tensor map that emulated H200 .* has not made/,
    );
    expect(() => device.encodeTensorMap(optionsOf(other, shape))).toThrow(/another device/);
    expect(() => device.encodeTensorMap(optionsOf(matrix, { tile: [16, 300] }))).toThrow(/1 to 256/);
    expect(() => device.encodeTensorMap(optionsOf(matrix, { tile: [8, 64], swizzle: '128B' }))).toThrow(
      /128 bytes of its swizzle/,
    );
  });
});
