import { kindOf, type Lowering, typesOf, value } from './helpers.js';

/** Bits of an address in a cluster's shared memory that a block's own has. */
const RANK_SHIFT = 24;

/**
 * `mapa[.shared::cluster].{u32,u64} d, a, rank`: a place in the shared memory of the block with that rank. Clusters have
 * one block here, whose rank is 0; a place in another one is out of bounds.
 */
const mapa: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  const words = instruction.modifiers.filter((word) => word !== type && word !== 'shared::cluster');
  if ((type !== 'u32' && type !== 'u64') || more.length > 0 || words.length > 0) return undefined;
  return value(instruction, {
    result: kindOf(type),
    args: [kindOf(type), 'i32'],
    scalar: (m, address, rank) => {
      const far = () => m.i32.shl(rank!(), m.i32.const(RANK_SHIFT));
      return type === 'u32' ? m.i32.or(address!(), far()) : m.i64.or(address!(), m.i64.extend_u(far()));
    },
  });
};

/** `getctarank[.shared::cluster].{u32,u64} d, a`: the rank of the block in whose shared memory an address lies. */
const getctarank: Lowering = (instruction) => {
  const [type, ...more] = typesOf(instruction);
  if ((type !== 'u32' && type !== 'u64') || more.length > 0) return undefined;
  return value(instruction, {
    result: 'i32',
    args: ['i32'],
    scalar: (m, address) => m.i32.shr_u(address!(), m.i32.const(RANK_SHIFT)),
  });
};

export const cluster: Readonly<Record<string, Lowering>> = { mapa, getctarank };
