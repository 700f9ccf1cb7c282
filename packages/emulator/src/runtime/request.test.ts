import { describe, expect, test } from 'vitest';
import { measureRequest } from './request.js';

/** By definition, with sets; the sectors in ascending order. */
function reference(addresses: readonly number[], bytes: number) {
  const sectors = new Set<number>();
  for (const address of addresses) {
    for (let byte = address; byte < address + bytes; byte++) sectors.add(Math.floor(byte / 32));
  }
  const list = [...sectors].sort((x, y) => x - y);
  return { sectors: sectors.size, unique: new Set(addresses).size, list };
}

function measured(addresses: readonly number[], bytes: number) {
  const { sectors, unique, list } = measureRequest(Uint32Array.from(addresses), addresses.length, bytes);
  return { sectors, unique, list: [...list.subarray(0, sectors)].sort((x, y) => x - y) };
}

describe('measureRequest', () => {
  const lanes = (of: (lane: number) => number) => Array.from({ length: 32 }, (_, lane) => of(lane));

  test.each([
    ['coalesced floats', lanes((l) => 4 * l), 4, 4, 32],
    ['off by one float', lanes((l) => 4 * l + 4), 4, 5, 32],
    ['one address', lanes(() => 64), 4, 1, 1],
    ['rows of 128 bytes', lanes((l) => 128 * l), 4, 32, 32],
    ['16-byte vectors', lanes((l) => 16 * l), 16, 16, 32],
    ['descending', lanes((l) => 4 * (31 - l)), 4, 4, 32],
    ['above 2 GiB', lanes((l) => 0x90000000 + 4 * l), 4, 4, 32],
    ['no lane', [], 4, 0, 0],
  ])('%s', (_title, addresses, bytes, sectors, unique) => {
    expect(measured(addresses, bytes)).toMatchObject({ sectors, unique });
  });

  test('any aligned addresses, in any order', () => {
    let state = 1;
    const random = (n: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % n;
    };
    for (let round = 0; round < 2000; round++) {
      const bytes = [1, 2, 4, 8, 16][random(5)]!;
      const addresses = Array.from({ length: random(33) }, () => bytes * random(200));
      expect(measured(addresses, bytes)).toEqual(reference(addresses, bytes));
    }
  });
});
