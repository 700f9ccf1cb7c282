import { launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Threads whose number is odd go away; the others wait at `barrier`, then note that they passed. All end with `last`. */
const ptx = (barrier: string, last: string) => `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .pred %p;
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %tid.x;
  and.b32 %r1, %r0, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra AWAY;
  ${barrier}
  mul.wide.u32 %rd1, %r0, 4;
  add.s64 %rd1, %rd0, %rd1;
  st.global.u32 [%rd1], 7;
AWAY:
  ${last}
  ret;
}`;

describe('lanes of one warp that part before a barrier', () => {
  let device: EmulatorDevice;
  beforeAll(() => {
    device = new EmulatorDevice({ workers: 1, cache: false });
  });
  afterAll(() => device.close());

  async function run(threads: number, barrier = 'bar.sync 0;', last = ''): Promise<number[]> {
    using object = await device.load(ObjectCode.fromPtx(ptx(barrier, last), { name: 'parted.ptx' }));
    using stream = device.createStream();
    using out = device.allocateSync(4 * threads);
    out.fill(stream, 0);
    launch(stream, { grid: [1, 1, 1], block: [threads, 1, 1] }, object.kernel('k'), {
      type: 'pointer',
      buffer: out,
    });
    await stream.synchronize();
    const words = new Int32Array(threads);
    await out.copyTo(stream, words);
    return [...words];
  }

  test.each([64, 33, 2])(
    'a barrier waits only for those of %s threads that have not exited',
    async (threads) => {
      const passed = Array.from({ length: threads }, (_, thread) => (thread % 2 === 0 ? 7 : 0));
      expect(await run(threads)).toEqual(passed);
    },
  );

  test('a barrier that the others wait at elsewhere is in divergent code', async () => {
    await expect(run(64, 'bar.sync 0;', 'bar.sync 0;')).rejects.toMatchObject({
      kind: 'barrier-divergence',
      message:
        "Barrier in divergent code: 32 of the block's 64 threads wait at this one; thread (1, 0, 0) goes on " +
        'without it; kernel k, block (0, 0, 0), thread (0, 0, 0), PTX line 13 (bar.sync 0).',
    });
  });

  test('a barrier that asks for more threads than are left', async () => {
    await expect(run(64, 'bar.sync 0, 64;')).rejects.toThrow(
      "32 of the block's 64 threads wait at this one; it lets 64 go at a time, and no others can come",
    );
  });
});
