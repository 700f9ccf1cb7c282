import type { MeasuredSize } from './measured-size.js';
import { asChange, asMicroseconds, asPercent } from './words.js';

/** Share of the rounds in which a row must be ahead, or behind, before a difference is called one. */
const CLEAR = 0.8;

/**
 * What a change did at a size, with the rounds that agree: `At 1024³ prefetching makes it 1.2 % slower, ahead in 0 of 15
 * rounds.` Where rounds disagree, it says that the difference is not clear.
 * @param of row with the change
 * @param to row without it
 * @param what the change, as a singular noun: `prefetching alone`
 */
export function changeSentence(at: MeasuredSize, of: string, to: string, what: string): string {
  const { ahead, rounds } = at.roundsAhead(of, to);
  const change = asChange(at.change(of, to));
  const clear = Math.max(ahead, rounds - ahead) >= CLEAR * rounds && change !== asChange(0);
  const effect = clear ? `makes it ${change}` : `makes no clear difference: ${change}`;
  return `At ${at.label} ${what} ${effect}, ahead in ${ahead} of ${rounds} rounds.`;
}

/**
 * The figure of a row: `At 1024³ the best of k08 is k08_128x64x8: 72.1 µs, 89.4 % of the reference's speed, ahead in 0
 * of 15 rounds.`
 * @param what what the row stands for: `the best of k08`
 */
export function bestSentence(at: MeasuredSize, row: string, what: string): string {
  const { id, us, ofReference, wins, perRoundUs } = at.of(row);
  return (
    `At ${at.label} ${what} is ${id}: ${asMicroseconds(us)}, ${asPercent(ofReference)} of the reference's speed, ` +
    `ahead in ${wins} of ${perRoundUs.length} rounds.`
  );
}
