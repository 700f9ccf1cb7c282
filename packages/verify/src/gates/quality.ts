import { type BoundInput, boundedError, share, u } from './bounded-error.js';
import type { GateResult } from './gate.js';

/**
 * Gate 3, for random data only: |C − Cref| ≤ 4·√k·u·(|α||A||B| + |β||C0|), what errors that are independent of one
 * another stay within. A kernel that rounds its inputs breaks it where the hard bound has still room.
 */
export function qualityGate(input: BoundInput): GateResult {
  const { got, reference, k } = input;
  const { values, magnitudes } = reference;
  const factor = 4 * Math.sqrt(k) * u;
  return boundedError('quality', input, `4·√${k}·u of the sum of magnitudes`, (i) =>
    share(got[i] as number, values[i] as number, factor * (magnitudes[i] as number)),
  );
}
