import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { memory, profileOf, site } from './support/profiles.js';
import { kernel } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, counters: true });
afterAll(() => device.close());

describe('requests are matched by warp and by how often its lanes have come', () => {
  /** Each thread makes `turns` turns, loading one float a turn: all lanes of a warp in turn n make request n. */
  const loop = (turns: string) => `
ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r3, 0; ${turns} mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
LOOP: setp.ge.u32 %p1, %r3, %r4; @%p1 bra DONE;
ld.global.f32 %f1, [%rd3];
add.s32 %r3, %r3, 1; bra LOOP;
DONE:`;

  /** Requests and sectors that thread t's number of turns gives. */
  function expected(
    threads: number,
    turns: (t: number) => number,
  ): { requests: number; sectors: number; lanes: number } {
    const sums = { requests: 0, sectors: 0, lanes: 0 };
    for (let warp = 0; warp < threads; warp += 32) {
      const lanes = Array.from({ length: Math.min(32, threads - warp) }, (_, l) => warp + l);
      for (let n = 0; n < Math.max(...lanes.map(turns)); n++) {
        const here = lanes.filter((t) => turns(t) > n);
        sums.requests++;
        sums.lanes += here.length;
        sums.sectors += new Set(here.map((t) => t >> 3)).size;
      }
    }
    return sums;
  }

  async function check(text: string, turns: (t: number) => number, threads = 64): Promise<void> {
    const profile = await profileOf(device, kernel('u64 p', loop(text)), {
      block: threads,
      args: [memory()],
    });
    const { requests, sectors, lanes } = expected(threads, turns);
    expect(site(profile, 'ld.global')).toMatchObject({ requests, sectors, bytesRequested: 4 * lanes });
  }

  test('100,000 turns without a barrier', async () => {
    await check('mov.u32 %r4, 100000;', () => 100_000, 32);
  });

  test('groups of four with numbers of turns of their own', async () => {
    await check('shr.u32 %r4, %r1, 2; add.s32 %r4, %r4, 3;', (t) => (t >> 2) + 3);
  });

  test('lanes with numbers of turns of their own', async () => {
    await check('and.b32 %r4, %r1, 7;', (t) => t & 7);
  });

  test('one lane that goes on long after the others', async () => {
    await check('setp.eq.s32 %p2, %r1, 6; selp.u32 %r4, 9000, 5, %p2;', (t) => (t === 6 ? 9000 : 5));
  });

  test('one group that stops early while the others go on for long', async () => {
    await check('setp.lt.u32 %p2, %r1, 4; selp.u32 %r4, 5, 20000, %p2;', (t) => (t < 4 ? 5 : 20_000));
  });

  test('groups that run for long, one of them with its lanes apart', async () => {
    await check(
      'setp.eq.s32 %p2, %r1, 1; selp.u32 %r4, 30000, 29990, %p2;',
      (t) => (t === 1 ? 30_000 : 29_990),
      36,
    );
  });

  test('lanes apart from the start in one group only', async () => {
    const body = `ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r3, 0; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; setp.eq.s32 %p2, %r1, 1; @%p2 bra OTHER;
LOOP: ld.global.f32 %f1, [%rd3]; add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10000; @%p1 bra LOOP; ret;
OTHER: add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10; @%p1 bra OTHER;`;
    const profile = await profileOf(device, kernel('u64 p', body), { block: 32, args: [memory()] });
    expect(site(profile, 'ld.global')).toMatchObject({
      requests: 10_000,
      sectors: 40_000,
      bytesRequested: 4 * 31 * 10_000,
    });
  });
});

test('a loop with two entries hands over its log like any other', async () => {
  const body = `ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mov.u32 %r3, 0; setp.eq.s32 %p1, %r5, 1; @%p1 bra INSIDE;
AGAIN: ld.global.f32 %f1, [%rd1]; add.s32 %r3, %r3, 1;
INSIDE: ld.global.u32 %r4, [%rd1+4]; setp.lt.u32 %p2, %r3, 30000; @%p2 bra AGAIN;`;
  const profile = await profileOf(device, kernel('u64 p', body), { grid: 2, block: 32, args: [memory()] });
  expect(site(profile, 'ld.global.f32')).toMatchObject({ requests: 60_000, sectors: 60_000 });
  expect(site(profile, 'ld.global.u32')).toMatchObject({ requests: 60_001, sectors: 60_001 });
});
