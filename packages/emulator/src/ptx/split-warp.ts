import type { Instruction, PtxFunction } from './ast.js';
import { around } from './made.js';

/** The two halves of an instruction that threads execute together; PTX has no such names. */
export const SEND = 'warp.send';
export const RECEIVE = 'warp.receive';

/** Names of the instructions that are always parted. */
export const WARP_INSTRUCTIONS = ['activemask', 'elect', 'match', 'redux', 'shfl', 'vote'] as const;

/** By what follows the name (`.sync` left out): how many results there may be, and how many operands follow them. */
const FORMS: readonly (readonly [RegExp, readonly number[], number])[] = [
  [/^activemask\.b32$/, [1], 0],
  [/^shfl\.(idx|up|down|bfly)\.b32$/, [1, 2], 4],
  [/^vote\.(all|any|uni)\.pred$/, [1], 2],
  [/^vote\.ballot\.b32$/, [1], 2],
  [/^match\.any\.b(32|64)$/, [1], 2],
  [/^match\.all\.b(32|64)$/, [1, 2], 2],
  [/^redux\.(add|min|max)\.[us]32$/, [1], 2],
  [/^redux\.(and|or|xor)\.b32$/, [1], 2],
  [/^elect$/, [1, 2], 1],
  [/^bar(rier)?\.red\.(and|or)\.pred$/, [1], 2],
  [/^bar(rier)?\.red\.(and|or)\.pred$/, [1], 3],
  [/^bar(rier)?\.red\.popc\.u32$/, [1], 2],
  [/^bar(rier)?\.red\.popc\.u32$/, [1], 3],
];

const isBlockBarrier = (op: string): boolean => op === 'bar' || op === 'barrier';

/** How many operands are results; undefined: the instruction is not parted, or not of a form that is known. */
function resultsOf({ op, modifiers, operands, pair }: Instruction): number | undefined {
  if (!isBlockBarrier(op) && op !== 'activemask' && !modifiers.includes('sync')) return undefined;
  const name = nameOf(op, modifiers).join('.');
  const results = pair ? 2 : 1;
  const known = FORMS.some(
    ([form, counts, more]) =>
      form.test(name) && counts.includes(results) && operands.length === results + more,
  );
  return known ? results : undefined;
}

const nameOf = (op: string, modifiers: readonly string[]): string[] => [
  op,
  ...modifiers.filter((word) => word !== 'sync' && word !== 'cta' && word !== 'aligned'),
];

/**
 * Parts every instruction whose result depends on other threads of the warp or the block: first a thread says what it
 * has, then it may be suspended until the others have, then it takes its result. Where a guard decides who takes part
 * in such an instruction or in a barrier, a branch does instead.
 */
export function splitWarpInstructions(fn: PtxFunction): PtxFunction {
  let guarded = 0;
  const body = fn.body.flatMap((statement): PtxFunction['body'] => {
    if (statement.kind !== 'instruction') return [statement];
    const results = resultsOf(statement);
    const { guard, pair, ...rest } = statement;
    if (results === undefined) {
      if (guard === undefined || !isBlockBarrier(statement.op)) return [statement];
      return around(statement, `$barrier${guarded++}`, [{ ...rest, ...(pair ? { pair } : {}) }]);
    }
    const name = nameOf(statement.op, statement.modifiers);
    // All threads of a warp execute it together, but for `barrier` without `.aligned`.
    if (statement.op === 'barrier' && !statement.modifiers.includes('aligned')) name.push('apart');
    const [made, taken] = [statement.operands.slice(0, results), statement.operands.slice(results)];
    const halves: Instruction[] = [
      { ...rest, op: SEND, modifiers: name, operands: taken },
      { ...rest, op: RECEIVE, modifiers: name, operands: made, ...(pair ? { pair } : {}) },
    ];
    return around(statement, `$barrier${guarded++}`, halves);
  });
  return { ...fn, body };
}
