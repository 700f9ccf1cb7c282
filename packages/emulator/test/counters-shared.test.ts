import { counterFacts, EmulatorDevice } from '@ffma/emulator';
import { afterAll, expect, test } from 'vitest';
import { at, memory, profileOf, site } from './support/profiles.js';
import { kernel } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, counters: true, checks: false });
afterAll(() => device.close());

/** Each thread computes a byte offset into shared memory in %r2, then accesses it. */
const shared = (offset: string, access: string) =>
  kernel('', `.shared .align 16 .b8 s[16384]; mov.u32 %r1, %tid.x; ${offset}\n${access}`);

const LANE = 'and.b32 %r3, %r1, 31;';
const ACCESSES: [title: string, offset: string, load: string, wavefronts: number, ideal: number][] = [
  ['words side by side', `${LANE} shl.b32 %r2, %r3, 2;`, 'ld.shared.f32 %f1, [%r2];', 1, 1],
  ['rows of 32 floats', `${LANE} shl.b32 %r2, %r3, 7;`, 'ld.shared.f32 %f1, [%r2];', 32, 1],
  ['one word', 'mov.u32 %r2, 8;', 'ld.shared.f32 %f1, [%r2];', 1, 1],
  ['float2', `${LANE} shl.b32 %r2, %r3, 3;`, 'ld.shared.v2.f32 {%f1, %f2}, [%r2];', 2, 2],
  ['float4', `${LANE} shl.b32 %r2, %r3, 4;`, 'ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r2];', 4, 4],
  [
    'one float4 a quarter-warp, packed',
    'shr.u32 %r2, %r1, 3; and.b32 %r2, %r2, 3; shl.b32 %r2, %r2, 4;',
    'ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r2];',
    2,
    2,
  ],
];

test.each(ACCESSES)('%s', async (_title, offset, load, wavefronts, ideal) => {
  const profile = await profileOf(device, shared(offset, load), { grid: 2, block: 96, args: [] });
  expect(site(profile, 'ld.shared')).toMatchObject({
    requests: 6,
    wavefronts: 6 * wavefronts,
    idealWavefronts: 6 * ideal,
  });
  const facts = counterFacts([profile]);
  expect(facts.value('shared.load.wavefrontsPerRequest')).toBe(wavefronts);
  expect(facts.value('shared.load.idealPerRequest')).toBe(ideal);
  expect(facts.value('shared.bankConflicts')).toBe(6 * (wavefronts - ideal));
  expect(facts.value('shared.store.wavefrontsPerRequest')).toBeNaN();
});

test('lanes that exited, or that a guard holds back, take no bank', async () => {
  const text = '@%p1 ld.shared.f32 %f1, [%r2];';
  const offset = 'shl.b32 %r2, %r1, 7; and.b32 %r3, %r1, 1; setp.eq.s32 %p1, %r3, 0;';
  const guarded = await profileOf(device, shared(offset, text), { block: 32, args: [] });
  expect(site(guarded, '@%p1 ld.shared')).toMatchObject({ requests: 1, wavefronts: 16, idealWavefronts: 1 });
  const exits = `${offset} setp.lt.u32 %p2, %r1, 12; @%p2 ret;`;
  const later = await profileOf(device, shared(exits, 'ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r2];'), {
    block: 32,
    args: [],
  });
  // Lanes 12 to 31: four of the second quarter-warp, and two whole ones, each lane 128 bytes from the next.
  expect(site(later, 'ld.shared')).toMatchObject({ requests: 1, wavefronts: 20, idealWavefronts: 3 });
});

test('what the PTX has, beside what was executed', async () => {
  const body = `${at('shl.b32 %r2, %r1, 2;')} mov.u32 %r3, 0; mov.f32 %f1, 0f3F800000;
LOOP: fma.rn.f32 %f1, %f1, %f1, %f1; add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10; @%p1 bra LOOP;
st.global.f32 [%rd3], %f1;`;
  const profile = await profileOf(device, kernel('u64 p', body), { block: 64, args: [memory()] });
  const facts = counterFacts([profile]);
  expect(profile.staticInstructions).toMatchObject({ ffma: 1, 'store.global': 1, predicate: 1 });
  expect(facts.value('static.ffma')).toBe(1);
  expect(facts.value('instructions.ffma')).toBe(640);
  expect(facts.value('static.overheadPerFfma')).toBe(facts.value('static.total') - 1);
  expect(facts.value('global.bytes')).toBe(256);
});
