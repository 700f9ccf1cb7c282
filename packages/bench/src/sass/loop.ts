import { naturalLoops } from './flow.js';
import type { SassFunction, SassInstruction } from './instruction.js';

const isFfma = ({ mnemonic }: SassInstruction) => mnemonic === 'FFMA';
const ffmasIn = (body: readonly SassInstruction[]) => body.filter(isFfma).length;

/**
 * The main loop: of the loops with FFMAs that have no other such loop inside, the one with the most FFMAs. Undefined
 * where no loop has any, as where everything is unrolled.
 */
export function mainLoop(code: Pick<SassFunction, 'instructions'>): SassInstruction[] | undefined {
  const loops = naturalLoops(code.instructions).filter((body) => ffmasIn(body) > 0);
  const holds = (outer: readonly SassInstruction[], inner: readonly SassInstruction[]) => {
    const all = new Set(outer);
    return all.size > inner.length && inner.every((one) => all.has(one));
  };
  const innermost = loops.filter((outer) => !loops.some((inner) => holds(outer, inner)));
  return innermost.sort((x, y) => ffmasIn(y) - ffmasIn(x))[0];
}
