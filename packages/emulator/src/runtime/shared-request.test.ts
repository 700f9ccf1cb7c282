import { describe, expect, test } from 'vitest';
import { SharedRequests, sharedCost } from './shared-request.js';

const ALL = -1;
const at = (of: (lane: number) => number) => Uint32Array.from({ length: 32 }, (_, lane) => of(lane));

/** Title, bytes a lane, address of a lane, wavefronts of a load and without conflicts, then those of a store. */
const REQUESTS: [string, number, (lane: number) => number, [number, number], [number, number]][] = [
  ['neighbouring words', 4, (l) => 4 * l, [1, 1], [1, 1]],
  ['one word for all', 4, () => 64, [1, 1], [1, 1]],
  ['every second word', 4, (l) => 8 * l, [2, 1], [2, 1]],
  ['a column of 32 floats a row', 4, (l) => 128 * l, [32, 1], [32, 1]],
  ['a column of 33 floats a row', 4, (l) => 132 * l, [1, 1], [1, 1]],
  ['two words of one bank', 4, (l) => 128 * (l & 1), [2, 1], [2, 1]],
  ['bytes of one word', 1, (l) => l, [1, 1], [1, 1]],
  ['neighbouring doubles: half-warps', 8, (l) => 8 * l, [2, 2], [2, 2]],
  ['doubles, neighbours alike: one phase', 8, (l) => 8 * (l >> 1), [1, 1], [2, 2]],
  ['float4 side by side: quarter-warps', 16, (l) => 16 * l, [4, 4], [4, 4]],
  ['eight float4 that every quarter wants', 16, (l) => 16 * (l & 7), [4, 4], [4, 4]],
  ['four float4, one a quarter: packed', 16, (l) => 16 * (l >> 3), [2, 2], [4, 4]],
  ['lanes two apart alike: packed', 16, (l) => 16 * ((l & 1) | ((l >> 2) << 1)), [2, 2], [4, 4]],
  ['float4 of every second place', 16, (l) => 32 * l, [8, 4], [8, 4]],
  ['packed, and two words a bank', 16, (l) => 32 * (l >> 1), [4, 2], [4, 4]],
];

describe('wavefronts of a request', () => {
  test.each(REQUESTS)('%s', (_title, bytes, address, load, store) => {
    expect(Object.values(sharedCost(at(address), ALL, bytes, true))).toEqual(load);
    expect(Object.values(sharedCost(at(address), ALL, bytes, false))).toEqual(store);
  });

  test('lanes that do not take part want nothing, and a phase without lanes takes no time', () => {
    expect(
      sharedCost(
        at((l) => 128 * l),
        0b111,
        4,
        true,
      ),
    ).toEqual({ wavefronts: 3, ideal: 1 });
    expect(
      sharedCost(
        at((l) => 16 * l),
        0xff,
        16,
        true,
      ),
    ).toEqual({ wavefronts: 1, ideal: 1 });
    expect(
      sharedCost(
        at((l) => 16 * l),
        0x8000_0001 | 0,
        16,
        false,
      ),
    ).toEqual({ wavefronts: 2, ideal: 2 });
    // Partners that are not there do not keep lanes from being packed.
    expect(
      sharedCost(
        at((l) => 16 * l),
        0x5555_5555,
        16,
        true,
      ),
    ).toEqual({ wavefronts: 4, ideal: 2 });
  });
});

test('a site whose requests move, turn or change their lanes is measured anew where it must be', () => {
  const requests = new SharedRequests();
  const check = (address: (lane: number) => number, lanes = ALL, bytes = 4) =>
    expect(requests.measure(0, at(address), lanes, bytes, true)).toEqual(
      sharedCost(at(address), lanes, bytes, true),
    );
  check((l) => 128 * l);
  check((l) => 128 * l + 4000);
  check((l) => 4 * l + 4000);
  check((l) => 4000 - 8 * l);
  check((l) => 4000 - 8 * l, 0xff);
  check((l) => 4000 - 8 * l, 0xff00);
  const bytes = new SharedRequests();
  for (const start of [0, 1, 2, 3, 7])
    expect(
      bytes.measure(
        0,
        at((l) => start + (l >> 3)),
        ALL,
        1,
        true,
      ),
    ).toEqual(
      sharedCost(
        at((l) => start + (l >> 3)),
        ALL,
        1,
        true,
      ),
    );
});
