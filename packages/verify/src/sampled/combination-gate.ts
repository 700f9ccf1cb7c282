import { MatrixImage } from '../data/matrix-image.js';
import type { ProblemData } from '../data/problem-data.js';
import { reported } from '../float/bits.js';
import {
  counted,
  describeElement,
  elementAt,
  type GateElement,
  type GateResult,
  scan,
} from '../gates/gate.js';
import { doubleReference } from '../reference/double.js';
import { type Combination, combined } from './combination.js';
import { pickRows, rowProblem } from './row-problem.js';

/** The element of a row that is furthest from a float64 reference: what its sum says of the row, said of an element. */
function worstOf(data: ProblemData, image: MatrixImage, row: number): GateElement {
  const { n } = data.problem;
  const want = doubleReference(rowProblem(data, [row])).values;
  const got = pickRows(image, image.words, [row]).elements();
  const { worst } = scan(n, 0, (j) => Math.abs((got[j] as number) - (want[j] as number)));
  const index = Math.max(0, worst);
  return elementAt({ m: 1, n, got, rows: [row] }, index, want[index] as number);
}

/**
 * Gate for results too large to be judged element by element: random combinations of C's columns, one a row, so that
 * every element is looked at. See {@link combinationOf} for what it finds.
 *
 * @param c the whole buffer of C afterwards, as 32-bit words
 */
export function combinationGate(data: ProblemData, want: Combination, c: Uint32Array): GateResult {
  const image = new MatrixImage(data.c.layout, c);
  const sums = combined(image, want.factors);
  const { failures, measured, worst } = scan(sums.length, 1, (i) => {
    const error = Math.abs((sums[i] as number) - (want.sums[i] as number));
    return error === 0 ? 0 : error / (want.tolerances[i] as number);
  });
  const rows = counted(sums.length, 'row');
  const what = want.exact ? 'what it has to be to the bit' : 'what rounding usually leaves';
  const found = failures === 0 ? undefined : worstOf(data, image, worst);
  return {
    gate: 'combination',
    passed: failures === 0,
    decides: true,
    measured: reported(measured),
    limit: 1,
    failures,
    ...(found === undefined ? {} : { worst: found }),
    sentence:
      found === undefined
        ? `A random combination of the columns of C is ${what}, in all ${rows}.`
        : `A random combination of the columns of C is not ${what} in ${failures} of ${rows}; ` +
          `in the worst of them ${describeElement(found)}.`,
  };
}
