import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type KernelArg, launch, ObjectCode } from '@ffma/core';
import type { EmulatorDevice } from '@ffma/emulator';

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);
const text = gunzipSync(readFileSync(fixture('tma.ptx.gz'))).toString();
const sources = ['tma.cu', 'mbarrier.cuh', 'tma.cuh', 'async_copy.cuh'].map((name) => {
  const url =
    name === 'tma.cu' ? fixture(name) : new URL(`../../../core/include/ffma/${name}`, import.meta.url);
  return [name, readFileSync(url, 'utf8').split('\n')] as const;
});

/** The module with one of its kernels alone. */
function alone(kernel: string): string {
  const entries = text.split(/^(?=\.visible \.entry )/m);
  const [head, ...kernels] = entries;
  const own = kernels.find((entry) => entry.startsWith(`.visible .entry ${kernel}_kernel(`));
  if (own === undefined) throw new RangeError(`tma.ptx.gz has no kernel ${kernel}.`);
  // What follows the last kernel: names of files, and of inlined functions.
  const tail = /^\t\.file[\s\S]*$/m.exec(kernels.at(-1)!)?.[0] ?? '';
  return `${head}${own.replace(/^\t\.file[\s\S]*$/m, '')}${tail}`;
}

/** The line of a source, without white space around it. */
export const sourceLine = (file: string, line: number): string | undefined =>
  sources.find(([name]) => file.endsWith(name))?.[1][line - 1]?.trim();

/** What `mistake` leaves of C and of 2 C, 8×32 each, where A is 8 × k and B k × 32. */
export async function runTma(
  device: EmulatorDevice,
  mistake: string,
  a: Float32Array,
  b: Float32Array,
): Promise<Float32Array> {
  const k = a.length / 8;
  using stream = device.createStream();
  using object = await device.load(ObjectCode.fromPtx(alone(mistake), { name: 'tma.ptx' }));
  using left = device.allocateSync(a.byteLength);
  using right = device.allocateSync(b.byteLength);
  using both = device.allocateSync(2 * 8 * 32 * 4);
  await Promise.all([left.copyFrom(stream, a), right.copyFrom(stream, b)]);
  const swizzle = '128B';
  const maps = [
    device.encodeTensorMap({ buffer: left, rows: 8, cols: k, tile: [8, 32], swizzle }),
    device.encodeTensorMap({ buffer: right, rows: k, cols: 32, tile: [32, 32], swizzle }),
    device.encodeTensorMap({ buffer: both, rows: 16, cols: 32, tile: [8, 32] }),
  ];
  const args: KernelArg[] = maps.map((map) => ({ type: 'tensorMap', map }));
  const config = { grid: [1, 1, 1], block: [96, 1, 1] } as const;
  launch(stream, config, object.kernel(`${mistake}_kernel`), ...args, { type: 'i32', value: k });
  const result = new Float32Array(2 * 8 * 32);
  await both.copyTo(stream, result);
  await stream.synchronize();
  return result;
}
