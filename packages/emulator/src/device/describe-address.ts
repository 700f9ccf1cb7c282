import { GLOBAL_BASE } from '../layout.js';

/** A live buffer, as far as naming an address goes. */
export interface NamedSpan {
  /** Offset in the heap, in bytes. */
  readonly start: number;
  readonly byteLength: number;
  readonly name: string;
  /** Set once it was closed: its memory is nobody's. */
  readonly closed?: true;
}

/** Farther from a buffer than this many bytes, an address says nothing about what was meant. */
const NEAR = 2n ** 20n;

/** Bytes from a span to an offset: 0 inside, negative before it; 1 and more past its end. */
function distance({ start, byteLength }: NamedSpan, offset: bigint): bigint {
  if (offset < BigInt(start)) return offset - BigInt(start);
  const past = offset - BigInt(start + byteLength);
  return past < 0n ? 0n : past + 1n;
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

const bytes = (count: bigint): string => `${count} byte${count === 1n ? '' : 's'}`;

/** A device address for people: `0x7f0000003ec4, 4 bytes past the end of argument 3 (2244 bytes)`. */
export function describeAddress(address: bigint, spans: readonly NamedSpan[]): string {
  const hex = `0x${BigInt.asUintN(64, address).toString(16)}`;
  const offset = address - GLOBAL_BASE;
  const [nearest] = spans
    .map((span) => ({ span, away: distance(span, offset) }))
    .filter(({ span, away }) => span.closed !== true || away === 0n)
    .sort((x, y) => Number(size(x.away) - size(y.away)));
  if (nearest === undefined || size(nearest.away) > NEAR) return `${hex}, near no buffer`;
  const { span, away } = nearest;
  const name = `${span.name} (${bytes(BigInt(span.byteLength))})`;
  const closed = span.closed === true ? ', which was closed' : '';
  if (away === 0n) return `${hex}, byte ${offset - BigInt(span.start)} of ${name}${closed}`;
  if (away < 0n) return `${hex}, ${bytes(-away)} before ${name}`;
  return `${hex}, ${away === 1n ? 'just' : bytes(away - 1n)} past the end of ${name}`;
}
