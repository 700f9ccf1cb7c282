/** A share of 1 as a percentage: 0.9537 → `95.4 %`. */
export function asPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A change of time in words: −0.043 → `4.3 % faster`, 0.012 → `1.2 % slower`, under 0.1 % `as fast`. */
export function asChange(change: number): string {
  const size = asPercent(Math.abs(change));
  if (size === asPercent(0)) return 'as fast';
  return `${size} ${change < 0 ? 'faster' : 'slower'}`;
}

/** Microseconds as people read them: 61.33 → `61.3 µs`, 2761.2 → `2761 µs`. */
export function asMicroseconds(us: number): string {
  return `${us.toFixed(us < 1000 ? 1 : 0)} µs`;
}
