import type { Instruction, PtxFunction } from './ast.js';

/** The two halves of an instruction that lanes of a warp execute together; PTX has no such names. */
export const SEND = 'warp.send';
export const RECEIVE = 'warp.receive';

/** Names of the instructions that are parted. */
export const WARP_INSTRUCTIONS = ['activemask', 'shfl', 'vote'] as const;

/** How many operands are results; undefined: the instruction is none of a warp's, or not of a form that is known. */
function resultsOf({ op, modifiers, operands, pair }: Instruction): number | undefined {
  const [first, second, third, ...more] = modifiers;
  if (op === 'activemask') return modifiers.join() === 'b32' && operands.length === 1 ? 1 : undefined;
  if (first !== 'sync' || more.length > 0) return undefined;
  if (op === 'shfl') {
    const known = ['idx', 'up', 'down', 'bfly'].includes(second!) && third === 'b32';
    return known && operands.length === (pair ? 6 : 5) ? (pair ? 2 : 1) : undefined;
  }
  if (op !== 'vote' || operands.length !== 3) return undefined;
  const wanted = second === 'ballot' ? 'b32' : 'pred';
  return ['all', 'any', 'uni', 'ballot'].includes(second!) && third === wanted ? 1 : undefined;
}

/**
 * Parts every instruction whose result depends on other lanes of the warp: first a lane says what it has, then it may
 * be suspended until the others have, then it takes its result.
 */
export function splitWarpInstructions(fn: PtxFunction): PtxFunction {
  const body = fn.body.flatMap((statement): PtxFunction['body'] => {
    if (statement.kind !== 'instruction') return [statement];
    const results = resultsOf(statement);
    if (results === undefined) return [statement];
    const name = [statement.op, ...statement.modifiers.filter((word) => word !== 'sync')];
    const { pair, ...rest } = statement;
    const [made, taken] = [statement.operands.slice(0, results), statement.operands.slice(results)];
    return [
      { ...rest, op: SEND, modifiers: name, operands: taken },
      { ...rest, op: RECEIVE, modifiers: name, operands: made, ...(pair ? { pair } : {}) },
    ];
  });
  return { ...fn, body };
}
