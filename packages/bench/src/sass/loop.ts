import type { SassFunction, SassInstruction } from './instruction.js';

const isFfma = ({ mnemonic }: SassInstruction) => mnemonic === 'FFMA';
const ffmasIn = (body: readonly SassInstruction[]) => body.filter(isFfma).length;

/** The instructions between the target of each branch that leads back and the branch, both included. */
export function loopsOf({ instructions }: Pick<SassFunction, 'instructions'>): SassInstruction[][] {
  return instructions
    .filter(({ address, target }) => target !== undefined && target <= address)
    .map((branch) =>
      instructions.filter(({ address }) => address >= (branch.target as number) && address <= branch.address),
    );
}

/**
 * The main loop: of the loops with FFMAs that have no other such loop inside, the one with the most FFMAs. Undefined
 * where no loop has any, as where everything is unrolled.
 */
export function mainLoop(code: Pick<SassFunction, 'instructions'>): SassInstruction[] | undefined {
  const loops = loopsOf(code).filter((body) => ffmasIn(body) > 0);
  const holds = (outer: readonly SassInstruction[], inner: readonly SassInstruction[]) =>
    outer.length > inner.length && inner.every((one) => outer.includes(one));
  const innermost = loops.filter((outer) => !loops.some((inner) => holds(outer, inner)));
  return innermost.sort((x, y) => ffmasIn(y) - ffmasIn(x))[0];
}
