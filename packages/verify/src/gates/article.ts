import { reported } from '../float/bits.js';
import type { DoubleReference } from '../reference/double.js';
import { describeElement, elementAt, type GateInput, type GateResult, scan } from './gate.js';

const LIMIT = 1e-4;

export interface ArticleInput extends GateInput {
  readonly reference: DoubleReference;
}

/**
 * Gate 4: max |C − Cref| / max |Cref| < 1e-4, and all of C finite. What is usual in write-ups of GEMM kernels, so that
 * figures can be set side by side; it forgives what the other gates do not, and decides nothing.
 */
export function articleGate(input: ArticleInput): GateResult {
  const { m, n, got, reference } = input;
  const { values } = reference;
  let largest = 0;
  for (const want of values) largest = Math.max(largest, Math.abs(want));
  const { measured: error, worst } = scan(m * n, 0, (i) => {
    const value = got[i] as number;
    return Number.isFinite(value) ? Math.abs(value - (values[i] as number)) : Number.NaN;
  });
  const ratio = error === 0 ? 0 : error / largest;
  const passed = ratio < LIMIT;
  const found = worst < 0 ? undefined : elementAt(input, worst, values[worst] as number);
  return {
    gate: 'article',
    passed,
    decides: false,
    measured: reported(ratio),
    limit: LIMIT,
    failures: passed ? 0 : 1,
    ...(found === undefined ? {} : { worst: found }),
    sentence:
      `max |C − Cref| / max |Cref| is ${ratio.toPrecision(3)}, ${passed ? 'under' : 'not under'} ${LIMIT}` +
      `${passed || found === undefined ? '' : `: ${describeElement(found)}`}.`,
  };
}
