import { isHalf, type Scalar } from './scalar-values.js';

/** One form of an instruction, and what it computes. */
export interface Form {
  /** As PTX writes it: `mul.wide.u32`. */
  readonly text: string;
  readonly result: Scalar;
  readonly args: readonly Scalar[];
  /** Immediates that follow the arguments, as PTX writes them. */
  readonly suffix?: string;
  /** ptxas takes no immediates. */
  readonly registersOnly?: true;
  /** The least that has it, where that is not sm_80. */
  readonly target?: 'sm_90';
  /** Bits of the result from those of the arguments. */
  model(...args: bigint[]): bigint;
}

/** Where an operand's value comes from: differs freely, differs by a constant from lane to lane, or is shared. */
export type OperandKind = 'varying' | 'affine' | 'uniform' | 'immediate';

/** One use of a form: the kinds of its operands, its guard, and whether it overwrites its first operand. */
export interface Use {
  readonly kinds: readonly OperandKind[];
  readonly guard?: { readonly kind: 'varying' | 'uniform'; readonly negate: boolean };
  readonly inPlace?: true;
}

function product(kinds: readonly OperandKind[], count: number): OperandKind[][] {
  if (count === 0) return [[]];
  return kinds.flatMap((kind) => product(kinds, count - 1).map((rest) => [kind, ...rest]));
}

/** All uses that a form is tested in. */
export function usesOf({ args, result, registersOnly }: Form): Use[] {
  const all: OperandKind[] = ['varying', 'affine', 'uniform', 'immediate'];
  const combinations =
    args.length < 3
      ? product(all, args.length)
      : [
          ...product(['varying', 'affine', 'uniform'], args.length),
          ...args.map((_, i) => args.map((_, j): OperandKind => (i === j ? 'immediate' : 'varying'))),
        ];
  // A predicate has no immediate and no affine form; a float of 16 bits no immediate.
  const uses: Use[] = combinations
    .filter((kinds) =>
      kinds.every((kind, i) => {
        if (kind === 'immediate') return !registersOnly && args[i] !== 'pred' && !isHalf(args[i]!);
        return args[i] !== 'pred' || kind !== 'affine';
      }),
    )
    .map((kinds) => ({ kinds }));
  const same = (kind: OperandKind) => args.map(() => kind);
  for (const operands of ['varying', 'uniform'] as const) {
    for (const kind of ['varying', 'uniform'] as const) {
      for (const negate of [false, true]) uses.push({ kinds: same(operands), guard: { kind, negate } });
    }
  }
  if (args[0] === result && args.every((type) => type !== 'pred')) {
    for (const kind of ['varying', 'affine', 'uniform'] as const)
      uses.push({ kinds: same(kind), inPlace: true });
  }
  return uses;
}
