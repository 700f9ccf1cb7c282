import type { Instruction, Operand } from '../../ptx/ast.js';
import { RECEIVE, SEND } from '../../ptx/split-warp.js';
import { type Lowering, source } from './helpers.js';
import type { BarrierOp, Op, Source, WarpOperation } from './spec.js';

const FULL: Operand = { kind: 'int', value: 0xffffffffn };

/** A mask and operands, and the barrier at which the lanes meet. */
export function meet(warp: WarpOperation, mask: Operand, operands: readonly Source[]): readonly Op[] {
  const barrier: BarrierOp = { kind: 'barrier', id: -1, threads: undefined, aligned: false, warp };
  return [{ kind: 'send', values: [source(mask, 'i32'), ...operands] }, barrier];
}

/** The first half of `shfl.sync`, `vote.sync` and `activemask`. */
const send: Lowering = ({ modifiers, operands }: Instruction) => {
  const [op, how] = modifiers as [string, string];
  if (op === 'activemask') return meet('active', FULL, []);
  const mask = operands.at(-1)!;
  if (op === 'vote') return meet(`vote.${how}` as WarpOperation, mask, [source(operands[0]!, 'pred')]);
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
    const predicate = i === 1 || modifiers.at(-1) === 'pred';
    const dst = { reg: operand.name, kind: predicate ? ('pred' as const) : ('i32' as const) };
    return [{ kind: 'receive', dst, word: i as 0 | 1 }];
  });

export const warp: Readonly<Record<string, Lowering>> = { [SEND]: send, [RECEIVE]: receive };
