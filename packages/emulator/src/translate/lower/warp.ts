import type { Instruction, Operand } from '../../ptx/ast.js';
import { RECEIVE, SEND } from '../../ptx/split-warp.js';
import { blockBarrier } from './barrier.js';
import { type Lowering, source } from './helpers.js';
import type { BarrierOp, Op, Source, ValueKind, WarpOperation } from './spec.js';

const FULL: Operand = { kind: 'int', value: 0xffffffffn };

/** A mask and operands, and the barrier at which the lanes meet. */
export function meet(warp: WarpOperation, mask: Operand, operands: readonly Source[]): readonly Op[] {
  const barrier: BarrierOp = { kind: 'barrier', id: -1, threads: undefined, aligned: false, warp };
  return [{ kind: 'send', values: [source(mask, 'i32'), ...operands] }, barrier];
}

/** The first half of `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`, `elect.sync`, `activemask` and `bar.red`. */
const send: Lowering = ({ modifiers, operands }: Instruction) => {
  const [op, how, type] = modifiers as [string, string, string];
  if (op === 'activemask') return meet('active', FULL, []);
  if (op === 'elect') return meet('elect', operands[0]!, []);
  if (op === 'bar' || op === 'barrier') {
    const [id, threads, predicate] = operands.length === 2 ? [operands[0], undefined, operands[1]] : operands;
    const reduce = type as 'and' | 'or' | 'popc';
    return blockBarrier(id, threads, modifiers.at(-1) !== 'apart', { reduce, predicate: predicate! });
  }
  const mask = operands.at(-1)!;
  if (op === 'vote') return meet(`vote.${how}` as WarpOperation, mask, [source(operands[0]!, 'pred')]);
  if (op === 'match') {
    const wide = type === 'b64';
    const value = source(operands[0]!, wide ? 'i64' : 'i32');
    const parts: Source[] = wide ? [value, { ...value, upper: true }] : [value];
    return meet(`match${wide ? '64' : ''}.${how}` as WarpOperation, mask, parts);
  }
  if (op === 'redux') {
    const sign = type === 's32' && how !== 'add' ? 's' : '';
    return meet(`redux.${how}${sign}` as WarpOperation, mask, [source(operands[0]!, 'i32')]);
  }
  const [value, lane, clamp] = operands;
  return meet(`shuffle.${how}` as WarpOperation, mask, [
    source(value!, 'i32'),
    source(lane!, 'i32'),
    source(clamp!, 'i32'),
  ]);
};

/** The second half: results, the second of which is a predicate. */
const receive: Lowering = ({ modifiers, operands }: Instruction) =>
  operands.flatMap((operand, i): Op[] => {
    if (operand.kind !== 'reg') return [];
    const predicate = i === 1 || modifiers.includes('pred');
    const kind: ValueKind = predicate ? 'pred' : 'i32';
    return [{ kind: 'receive', dst: { reg: operand.name, kind }, word: i as 0 | 1 }];
  });

export const warp: Readonly<Record<string, Lowering>> = { [SEND]: send, [RECEIVE]: receive };
