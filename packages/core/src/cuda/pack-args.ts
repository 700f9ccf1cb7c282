import type { KernelArg } from '../device/launch.js';

function write(bytes: DataView, at: number, arg: KernelArg): void {
  if (arg.type === 'tensorMap') new Uint8Array(bytes.buffer, at).set(arg.map.bytes);
  else if (arg.type === 'pointer') bytes.setBigUint64(at, arg.buffer.address + BigInt(arg.offset ?? 0), true);
  else if (arg.type === 'i32') bytes.setInt32(at, arg.value, true);
  else if (arg.type === 'u32') bytes.setUint32(at, arg.value, true);
  else if (arg.type === 'f32') bytes.setFloat32(at, arg.value, true);
  else if (arg.type === 'f64') bytes.setFloat64(at, arg.value, true);
  else if (arg.type === 'i64') bytes.setBigInt64(at, BigInt(arg.value), true);
  else bytes.setBigUint64(at, BigInt(arg.value), true);
}

/** Argument bytes as a kernel's parameter list has them; `offsets` as the driver tells them. */
export function packArgs(
  args: readonly KernelArg[],
  params: readonly { offset: number; size: number }[],
): Uint8Array {
  const last = params.at(-1);
  const packed = new Uint8Array(last === undefined ? 0 : last.offset + last.size);
  const view = new DataView(packed.buffer);
  for (const [i, arg] of args.entries()) write(view, params[i]?.offset ?? 0, arg);
  return packed;
}
