import { describe, expect, it } from 'vitest';
import { GLOBAL_BASE } from '../layout.js';
import { describeAddress } from './describe-address.js';

const spans = [
  { start: 0, byteLength: 100, name: 'argument 1' },
  { start: 512, byteLength: 1, name: 'argument 2' },
];

describe('an address for people', () => {
  it.each([
    [0n, '0x7f0000000000, byte 0 of argument 1 (100 bytes)'],
    [99n, '0x7f0000000063, byte 99 of argument 1 (100 bytes)'],
    [100n, '0x7f0000000064, just past the end of argument 1 (100 bytes)'],
    [104n, '0x7f0000000068, 4 bytes past the end of argument 1 (100 bytes)'],
    [508n, '0x7f00000001fc, 4 bytes before argument 2 (1 byte)'],
    [514n, '0x7f0000000202, 1 byte past the end of argument 2 (1 byte)'],
    [-1n, '0x7effffffffff, 1 byte before argument 1 (100 bytes)'],
    [2n ** 21n, '0x7f0000200000, near no buffer'],
    [-GLOBAL_BASE, '0x0, near no buffer'],
    [-GLOBAL_BASE - 4n, '0xfffffffffffffffc, near no buffer'],
  ])('heap offset %s', (offset, text) => {
    expect(describeAddress(GLOBAL_BASE + offset, spans)).toBe(text);
  });

  it('needs no buffer', () => {
    expect(describeAddress(GLOBAL_BASE, [])).toBe('0x7f0000000000, near no buffer');
  });
});
