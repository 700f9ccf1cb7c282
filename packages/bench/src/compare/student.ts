/** Points of the integral; its error is under 1e-9 for two degrees of freedom and more. */
const STEPS = 2000;

/** ∫ cos^power from 0 to an angle, by Simpson's rule. */
function cosinePower(power: number, angle: number): number {
  const step = angle / STEPS;
  let sum = 1 + Math.cos(angle) ** power;
  for (let i = 1; i < STEPS; i++) sum += (i % 2 === 1 ? 4 : 2) * Math.cos(i * step) ** power;
  return (sum * step) / 3;
}

const known = new Map<string, number>();

/**
 * The t within whose bounds, −t to t, a share of Student's distribution lies.
 * @param confidence over 0, under 1
 * @param degrees of freedom, at least 1; need not be whole
 */
export function studentQuantile(confidence: number, degrees: number): number {
  const key = `${confidence} ${degrees}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  // With t = √degrees · tan(angle), the density becomes cos(angle)^(degrees − 1).
  const whole = cosinePower(degrees - 1, Math.PI / 2);
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (cosinePower(degrees - 1, middle) / whole < confidence) low = middle;
    else high = middle;
  }
  const t = Math.sqrt(degrees) * Math.tan(low);
  known.set(key, t);
  return t;
}
