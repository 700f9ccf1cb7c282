import type { Instruction, Operand } from '../../ptx/ast.js';
import { type Lowering, source } from './helpers.js';
import type { BarrierOp, Op } from './spec.js';
import { meet } from './warp.js';

const FULL: Operand = { kind: 'int', value: 0xffffffffn };
const int = (value: number): Operand => ({ kind: 'int', value: BigInt(value) });

interface More {
  /** Threads add this predicate up, each of them. */
  readonly predicate?: Operand;
  readonly reduce?: NonNullable<BarrierOp['reduce']>;
  readonly arrive?: true;
}

const known = (operand: Operand | undefined): operand is Operand =>
  operand !== undefined && (operand.kind === 'int' || operand.kind === 'reg');

/**
 * A barrier of the block. Where its number or its count of threads comes from a register, or threads bring a
 * predicate, they are sent along: predicate, number, count (0: all threads).
 */
export function blockBarrier(
  id: Operand | undefined,
  threads: Operand | undefined,
  aligned: boolean,
  { predicate, ...more }: More = {},
): readonly Op[] | undefined {
  if (!known(id) || (threads !== undefined && !known(threads))) return undefined;
  if (id.kind === 'int' && (id.value < 0n || id.value > 15n)) return undefined;
  if (threads?.kind === 'int' && (threads.value <= 0n || threads.value % 32n !== 0n)) return undefined;
  const dynamic = id.kind === 'reg' || threads?.kind === 'reg';
  const barrier: BarrierOp = {
    kind: 'barrier',
    id: id.kind === 'int' ? Number(id.value) : 0,
    threads: threads?.kind === 'int' ? Number(threads.value) : undefined,
    aligned,
    ...more,
    ...(dynamic ? { dynamic } : {}),
  };
  if (!dynamic && predicate === undefined) return [barrier];
  const values = [
    source(FULL, 'i32'),
    source(predicate ?? int(0), predicate === undefined ? 'i32' : 'pred'),
    source(id, 'i32'),
    source(threads ?? int(0), 'i32'),
  ];
  return [{ kind: 'send', values }, barrier];
}

/** Behind the sixteen of a block: that of its cluster. */
const CLUSTER_BARRIER = 16;

/** `barrier.cluster.arrive` and `.wait`: of a cluster of one block, so that to wait is to meet the block's threads. */
function clusterBarrier({ modifiers, operands }: Instruction): readonly Op[] | undefined {
  const [, what, ...words] = modifiers;
  const known = words.every((word) => /^(aligned|release|relaxed|acquire)$/.test(word));
  if (!known || operands.length > 0) return undefined;
  if (what === 'arrive') return [{ kind: 'none' }];
  if (what !== 'wait') return undefined;
  return [{ kind: 'barrier', id: CLUSTER_BARRIER, threads: undefined, aligned: words.includes('aligned') }];
}

/**
 * `bar.sync id[, threads]`, `bar.arrive id, threads` and the same of `barrier[.aligned]`, which count whole warps; and
 * `bar.warp.sync mask`.
 */
export const bar: Lowering = (instruction) => {
  const { op, modifiers, operands } = instruction;
  if (modifiers[0] === 'cluster') return clusterBarrier(instruction);
  const words = modifiers.filter((word) => word !== 'cta' && word !== 'aligned').join('.');
  const [id, threads, ...more] = operands;
  if (words === 'warp.sync')
    return id !== undefined && threads === undefined ? meet('sync', id, []) : undefined;
  if ((words !== 'sync' && words !== 'arrive') || more.length > 0) return undefined;
  if (words === 'arrive' && threads === undefined) return undefined;
  const aligned = op === 'bar' || modifiers.includes('aligned');
  return blockBarrier(id, threads, aligned, words === 'arrive' ? { arrive: true } : {});
};
