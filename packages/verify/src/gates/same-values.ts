import { sameValue } from '../float/bits.js';
import {
  counted,
  describeElement,
  elementAt,
  type GateInput,
  type GateName,
  type GateResult,
  scan,
} from './gate.js';

export interface SameValuesInput extends GateInput {
  /** m×n without padding; rounded to float32 before it is compared. */
  readonly want: ArrayLike<number>;
}

/** Bit-for-bit comparison that every NaN passes against a NaN, and against nothing else. */
function sameValues(
  gate: GateName,
  input: SameValuesInput,
  as: string,
  same: (got: number, want: number) => boolean,
): GateResult {
  const { m, n, got, want } = input;
  const count = m * n;
  // The difference ranks wrong elements: NaN before all others, a zero's wrong sign last.
  const { failures, worst } = scan(count, 0, (i) => {
    const [x, y] = [got[i] as number, Math.fround(want[i] as number)];
    if (same(x, y)) return 0;
    return x === y ? Number.MIN_VALUE : Math.abs(x - y);
  });
  const passed = failures === 0;
  const found = worst < 0 ? undefined : elementAt(input, worst, Math.fround(want[worst] as number));
  return {
    gate,
    passed,
    decides: true,
    measured: failures,
    limit: 0,
    failures,
    ...(found === undefined ? {} : { worst: found }),
    sentence:
      found === undefined
        ? `All ${counted(count, 'element')} equal ${as} to the bit.`
        : `${failures} of ${counted(count, 'element')} ${failures === 1 ? 'differs' : 'differ'} from ${as}; the worst: ${describeElement(found)}.`,
  };
}

/**
 * Gate 1: integer data, on which every order of summation gives the same bits.
 *
 * @param input.want the float64 reference
 * @param zeroSigns `same`: −0 equals 0, for sums that may start from another zero. Default `distinct`.
 */
export function exactGate(input: SameValuesInput, zeroSigns: 'distinct' | 'same' = 'distinct'): GateResult {
  const same = zeroSigns === 'distinct' ? sameValue : (x: number, y: number) => x === y || sameValue(x, y);
  return sameValues('exact', input, 'the exact result', same);
}

/** Gate 5: the bits of a fused multiply-add chain over k ascending. NaNs compare as one class. */
export function kOrderGate(input: SameValuesInput): GateResult {
  return sameValues('k-order', input, 'the k-order FMA loop', sameValue);
}
