import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import {
  ACCESS_TYPES,
  type AccessCase,
  type AccessType,
  accessKernel,
  bytesOf,
  ELEMENTS,
  PATTERNS,
  type RegisterType,
  SPACES,
  THREADS,
  takesPart,
} from './support/access-kernel.js';
import { runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, checks: { racecheck: false } });
afterAll(() => device.close());

const COMMON = new Set(['u8,b32', 'f32,f32', 'u64,b64']);

/** Memory in which every byte tells where it is. */
function image(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, i) => (i * 151 + (i >> 8) * 17 + 130) & 255);
}

/** What a register holds after it was loaded from these bytes. */
function held(bytes: Uint8Array, { type, register }: AccessCase): bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!);
  if (type.startsWith('s')) value = BigInt.asIntN(8 * bytes.length, value);
  return BigInt.asUintN(8 * bytesOf(register), value);
}

function* cases(type: readonly [AccessType, RegisterType], who: AccessCase['who']): Generator<AccessCase> {
  const all = Object.keys(PATTERNS);
  for (const vector of [1, 2, 4] as const) {
    if (bytesOf(type[0]) * vector > 16) continue;
    for (const [s, space] of SPACES.entries()) {
      for (const [p, pattern] of all.entries()) {
        // All of the common types in plain code; elsewhere a changing choice.
        const turn = 5 * s + p + vector + ACCESS_TYPES.findIndex(([t, r]) => t === type[0] && r === type[1]);
        if (who === 'all' ? !COMMON.has(type.join()) && turn % 7 !== 0 : turn % 9 !== 0) continue;
        yield { type: type[0], register: type[1], vector, pattern, space, who };
      }
    }
  }
}

const title = (c: AccessCase) => `${c.space}.v${c.vector}.${c.type}, ${c.pattern}, ${c.who}`;

async function checkLoad(access: AccessCase): Promise<void> {
  const size = bytesOf(access.type);
  const memory = image(ELEMENTS * size * access.vector);
  const values = new BigUint64Array(THREADS * access.vector).fill(0x0101_0101_0101_0101n);
  await runPtx(device, accessKernel('ld', access), { block: THREADS, args: [memory.slice(), values] });
  const before = BigUint64Array.of(0x0101_0101_0101_0101n)[0]!;
  const expected = BigUint64Array.from({ length: values.length }, (_, i) => {
    const [t, element] = [Math.floor(i / access.vector), i % access.vector];
    if (!takesPart(access.who, t)) return before;
    const at = (PATTERNS[access.pattern]!(t) * access.vector + element) * size;
    // The kernel writes back as many bytes as the register has.
    const width = 8 * bytesOf(access.register);
    const mask = (1n << BigInt(width)) - 1n;
    return (before & ~mask) | held(memory.subarray(at, at + size), access);
  });
  expect([...values], title(access)).toEqual([...expected]);
}

async function checkStore(access: AccessCase): Promise<void> {
  const size = bytesOf(access.type);
  const memory = image(ELEMENTS * size * access.vector);
  const values = new BigUint64Array(image(8 * THREADS * access.vector).buffer);
  const expected = memory.slice();
  const source = new Uint8Array(values.buffer);
  for (let t = 0; t < THREADS; t++) {
    if (!takesPart(access.who, t)) continue;
    for (let element = 0; element < access.vector; element++) {
      const from = (t * access.vector + element) * 8;
      expected.set(
        source.subarray(from, from + size),
        (PATTERNS[access.pattern]!(t) * access.vector + element) * size,
      );
    }
  }
  await runPtx(device, accessKernel('st', access), { block: THREADS, args: [memory, values] });
  expect([...memory], title(access)).toEqual([...expected]);
}

describe.each(ACCESS_TYPES)('%s in a register of %s', (...type) => {
  test.each(['all', 'branch', 'guard'] as const)('loads, %s', async (who) => {
    for (const access of cases(type, who)) await checkLoad(access);
  });
  test.each(['all', 'branch', 'guard'] as const)('stores, %s', async (who) => {
    for (const access of cases(type, who)) {
      // Threads that store to one place: the last one's value stays, on this device as it may on any.
      await checkStore(access);
    }
  });
});
