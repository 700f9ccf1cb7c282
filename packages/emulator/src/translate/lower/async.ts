import type { Operand } from '../../ptx/ast.js';
import { bulk, copiesArrive } from './bulk.js';
import { type Lowering, source } from './helpers.js';
import type { CopyOp } from './spec.js';

/** Cache policies and the like change nothing here. */
const HINTS = /^(L2::(64B|128B|256B))$/;

/**
 * `cp.async.{ca,cg}.shared.global[.hints] [to], [from], 4 | 8 | 16[, bytes to read | predicate to read nothing]`,
 * `cp.async.commit_group`, `cp.async.wait_group n` and `cp.async.wait_all`; and what copies in bulk.
 */
const cp: Lowering = (instruction) => {
  const [first, what, to, space, ...hints] = instruction.modifiers;
  if (first !== 'async') return undefined;
  if (what === 'bulk') return bulk(instruction);
  if (what === 'mbarrier') return copiesArrive(instruction);
  const { operands } = instruction;
  if (what === 'commit_group') return operands.length === 0 ? [{ kind: 'commit' }] : undefined;
  if (what === 'wait_all') return operands.length === 0 ? [{ kind: 'wait', pending: undefined }] : undefined;
  if (what === 'wait_group') {
    const [pending, ...more] = operands;
    if (pending?.kind !== 'int' || pending.value < 0n || more.length > 0) return undefined;
    return [{ kind: 'wait', pending: Number(pending.value) }];
  }
  if (what !== 'ca' && what !== 'cg') return undefined;
  if ((to !== 'shared' && to !== 'shared::cta') || space !== 'global') return undefined;
  if (!hints.every((hint) => HINTS.test(hint))) return undefined;
  return copy(operands, what === 'cg' ? [16] : [4, 8, 16]);
};

function copy(operands: readonly Operand[], sizes: readonly number[]): readonly CopyOp[] | undefined {
  const [address, from, size, read, ...more] = operands;
  if (address?.kind !== 'address' || from?.kind !== 'address' || size?.kind !== 'int') return undefined;
  if (!sizes.includes(Number(size.value)) || more.length > 0) return undefined;
  if (read !== undefined && read.kind !== 'reg' && read.kind !== 'int') return undefined;
  return [
    {
      kind: 'copy',
      bytes: Number(size.value) as CopyOp['bytes'],
      address,
      from,
      values: read === undefined ? [] : [source(read, 'i32')],
    },
  ];
}

export const async: Readonly<Record<string, Lowering>> = { cp };
