import { reported } from '../float/bits.js';
import type { DoubleReference } from '../reference/double.js';
import {
  counted,
  describeElement,
  elementAt,
  type GateInput,
  type GateName,
  type GateResult,
  scan,
} from './gate.js';

/** Unit roundoff of float32. */
export const u = 2 ** -24;

export interface BoundInput extends GateInput {
  readonly reference: DoubleReference;
  readonly k: number;
  readonly alpha: number;
  readonly beta: number;
}

/** Error as a share of its bound; 0 where there is no error, whatever the bound. NaN only from NaN. */
export function share(got: number, want: number, bound: number): number {
  return got === want ? 0 : Math.abs(got - want) / bound;
}

/**
 * A gate on every element's error as a share of its bound.
 *
 * @param bound what the bound is, for people
 * @param shareOf share of the bound that element i uses; NaN counts as over it
 */
export function boundedError(
  gate: GateName,
  input: BoundInput,
  bound: string,
  shareOf: (index: number) => number,
): GateResult {
  const count = input.m * input.n;
  const { failures, measured, worst } = scan(count, 1, shareOf);
  const found = worst < 0 ? undefined : elementAt(input, worst, input.reference.values[worst] as number);
  const broken = () =>
    `${failures} of ${counted(count, 'element')} ${failures === 1 ? 'breaks' : 'break'} the bound ${bound}, ` +
    `the worst by a factor of ${measured.toPrecision(3)}: ${found === undefined ? '' : describeElement(found)}.`;
  return {
    gate,
    passed: failures === 0,
    decides: true,
    measured: reported(measured),
    limit: 1,
    failures,
    ...(found === undefined ? {} : { worst: found }),
    sentence:
      failures === 0
        ? `Every error is within ${bound}; the largest is ${(measured * 100).toPrecision(2)} % of it.`
        : broken(),
  };
}
