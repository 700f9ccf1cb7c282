import { type KernelArg, launch, ObjectCode } from '@ffma/core';
import type { EmulatorDevice } from '@ffma/emulator';
import { type GoldenKernel, THREADS } from './golden-kernel.js';

/** What a golden kernel leaves in its output, where all was zero. */
export async function runGolden(
  device: EmulatorDevice,
  { ptx, input, outputs, map }: GoldenKernel,
): Promise<BigUint64Array> {
  using object = await device.load(ObjectCode.fromPtx(ptx, { name: 'test.ptx' }));
  using stream = device.createStream();
  const out = new BigUint64Array(outputs * THREADS);
  using left = device.allocateSync(input.byteLength);
  using uniform = device.allocateSync(8);
  using result = device.allocateSync(out.byteLength);
  const copies = [left.copyFrom(stream, input), uniform.copyFrom(stream, new BigUint64Array(1))];
  await Promise.all([...copies, result.copyFrom(stream, out)]);
  const args: KernelArg[] = [left, uniform, result].map((buffer) => ({ type: 'pointer', buffer }));
  if (map !== undefined) {
    const { of, ...options } = map;
    const encoded = device.encodeTensorMap({ ...options, buffer: of === 'in' ? left : result });
    args.push({ type: 'tensorMap', map: encoded });
  }
  launch(stream, { grid: [4, 1, 1], block: [64, 1, 1] }, object.kernel('k'), ...args);
  await result.copyTo(stream, out);
  await stream.synchronize();
  return out;
}
