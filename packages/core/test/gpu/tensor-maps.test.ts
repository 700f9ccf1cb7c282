import { describe, expect } from 'vitest';
import type { CudaDevice, CudaStream } from '../../dist/cuda/index.js';
import { type BoundLaunch, type Buffer, launch, type TensorMapOptions } from '../../dist/index.js';
import { gpuTest, skipWithout } from './support/gpu.js';
import { block } from './support/kernels.js';
import { tileKernel } from './support/tensor-map-kernel.js';

const rows = 300;
const cols = 90;
const ld = 100;
/** Elements before the matrix. */
const before = 8;
/** In the padding of the rows and before the matrix: what must not be read. */
const poison = -1;

/** Element i, j is 1000·i + j + 1, so 0 is none of them. */
const element = (i: number, j: number) => (i >= 0 && i < rows && j >= 0 && j < cols ? 1000 * i + j + 1 : 0);

async function matrixOn(device: CudaDevice, stream: CudaStream): Promise<Buffer> {
  const values = new Float32Array(before + rows * ld).fill(poison);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) values[before + i * ld + j] = element(i, j);
  const buffer = await device.allocate(values.byteLength);
  await buffer.copyFrom(stream, values);
  return buffer;
}

type Shape = Pick<TensorMapOptions, 'tile' | 'swizzle' | 'l2Promotion'>;
const options = (buffer: Buffer, shape: Shape): TensorMapOptions => ({
  buffer,
  byteOffset: before * 4,
  rows,
  cols,
  ld,
  ...shape,
});

/** Where element r, c of a tile lies in shared memory: 16-byte pieces change places within 128 bytes by their row. */
function place(r: number, c: number, { tile, swizzle = 'none' }: Shape): number {
  const at = r * tile[1] + c;
  const bits = { none: 0, '32B': 1, '64B': 2, '128B': 3 }[swizzle];
  // CUDA C++ programming guide, tensor memory accelerator: address bits 4 and up ^= bits 7 and up.
  const piece = (at >> 5) & ((1 << bits) - 1);
  return at ^ (piece << 2);
}

function expected(row: number, col: number, shape: Shape): Float32Array {
  const [height, width] = shape.tile;
  const values = new Float32Array(height * width);
  for (let r = 0; r < height; r++)
    for (let c = 0; c < width; c++) values[place(r, c, shape)] = element(row + r, col + c);
  return values;
}

/** A launch of the tile kernel, on a matrix that nobody else holds. */
async function launchOf(
  device: CudaDevice,
  stream: CudaStream,
  out: Buffer,
  at: readonly [row: number, col: number],
  shape: Shape,
): Promise<BoundLaunch> {
  const kernel = (await device.load(tileKernel)).kernel('tile');
  const bytes = shape.tile[0] * shape.tile[1] * 4;
  const map = device.encodeTensorMap(options(await matrixOn(device, stream), shape));
  return {
    config: { ...block(128), sharedBytes: bytes },
    kernel,
    args: [
      { type: 'pointer', buffer: out },
      { type: 'tensorMap', map },
      { type: 'i32', value: at[0] },
      { type: 'i32', value: at[1] },
      { type: 'u32', value: bytes },
    ],
  };
}

const cases: readonly [what: string, row: number, col: number, shape: Shape][] = [
  ['inside', 16, 32, { tile: [16, 32] }],
  ['one row', 299, 0, { tile: [1, 4] }],
  ['over the right edge: not the padding, but zeros', 40, 80, { tile: [8, 32] }],
  ['over the last row', 292, 8, { tile: [32, 16] }],
  ['over the left and upper edges', -3, -8, { tile: [16, 32] }],
  ['wholly outside', 400, 400, { tile: [16, 16] }],
  ['the largest, in more shared memory than is usual', 30, 20, { tile: [256, 64] }],
  ['swizzled by 128 bytes', 8, 4, { tile: [64, 32], swizzle: '128B' }],
  ['swizzled by 64 bytes', 8, 4, { tile: [64, 16], swizzle: '64B' }],
  ['swizzled by 32 bytes, over an edge', 290, 84, { tile: [64, 8], swizzle: '32B' }],
  // Any row, but only columns at multiples of 16 bytes: for others the GPU has an illegal instruction.
  ['with another promotion in the L2', 5, 12, { tile: [16, 32], l2Promotion: '256B' }],
];

describe('tensor maps', () => {
  for (const [what, row, col, shape] of cases) {
    gpuTest(`a tile ${what}`, async (device, context) => {
      if (device.properties.computeCapability[0] < 9)
        skipWithout(context, 'a tensor memory accelerator', 'This GPU has no tensor memory accelerator.');
      using stream = device.createStream();
      const size = shape.tile[0] * shape.tile[1];
      using out = await device.allocate(size * 4);
      out.fill(stream, 0x7fc00000);
      const { config, kernel, args } = await launchOf(device, stream, out, [row, col], shape);
      launch(stream, config, kernel, ...args);
      const result = new Float32Array(size);
      await out.copyTo(stream, result);
      expect(result).toEqual(expected(row, col, shape));
    });
  }

  gpuTest('several of one batch; it keeps their matrices alive', async (device, context) => {
    if (device.properties.computeCapability[0] < 9)
      skipWithout(context, 'a tensor memory accelerator', 'This GPU has no tensor memory accelerator.');
    using stream = device.createStream();
    const places = [
      [0, 0],
      [64, 16],
      [128, 32],
    ] as const;
    const shape = { tile: [8, 16] } as const;
    const outs = places.map(() => device.allocateSync(512));
    const batch = device.prepareLaunches(
      await Promise.all(places.map((at, i) => launchOf(device, stream, outs[i] as Buffer, at, shape))),
    );
    const { gc } = globalThis as { gc?: () => void };
    for (let i = 0; i < 5; i++) {
      gc?.();
      await device.synchronize();
    }
    // What was freed would be given out again, and be written over.
    using other = await device.allocate(4 * (before + rows * ld) * 4);
    other.fill(stream, 0x7fc00000);
    batch.enqueue(stream);
    for (const [i, [row, col]] of places.entries()) {
      const result = new Float32Array(128);
      await (outs[i] as Buffer).copyTo(stream, result);
      expect(result).toEqual(expected(row, col, shape));
    }
  });

  gpuTest('of a matrix that is closed are refused', async (device, context) => {
    if (device.properties.computeCapability[0] < 9)
      skipWithout(context, 'a tensor memory accelerator', 'This GPU has no tensor memory accelerator.');
    using stream = device.createStream();
    using out = await device.allocate(512);
    const bound = await launchOf(device, stream, out, [0, 0], { tile: [8, 16] });
    const batch = device.prepareLaunches([bound]);
    for (const arg of bound.args) if (arg.type === 'tensorMap') arg.map.buffer.close();
    const closed = expect.objectContaining({ code: 'FFMA_CLOSED' });
    expect(() => batch.enqueue(stream)).toThrow(closed);
    expect(() => stream.enqueueLaunch(bound.config, bound.kernel, bound.args)).toThrow(closed);
    await stream.synchronize();
  });
});
