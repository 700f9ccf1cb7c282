import type { PtxType } from './ast.js';

const bytes: Readonly<Record<Exclude<PtxType, 'pred'>, number>> = {
  b8: 1,
  u8: 1,
  s8: 1,
  b16: 2,
  u16: 2,
  s16: 2,
  f16: 2,
  bf16: 2,
  b32: 4,
  u32: 4,
  s32: 4,
  f32: 4,
  f16x2: 4,
  bf16x2: 4,
  b64: 8,
  u64: 8,
  s64: 8,
  f64: 8,
  b128: 16,
};

/** Whether `name` (no dot) is a scalar type that registers, variables or parameters may have. */
export function isPtxType(name: string): name is PtxType {
  return name === 'pred' || Object.hasOwn(bytes, name);
}

/** Size of a type in bytes. Predicates have no size in memory; 1 is given. */
export function bytesOfType(type: PtxType): number {
  return type === 'pred' ? 1 : bytes[type];
}
