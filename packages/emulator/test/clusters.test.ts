import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
afterAll(() => device.close());

/** Each thread writes its word, and after the barrier of the cluster reads that of another, by way of a rank. */
const text = (
  rank: string,
  barrier = 'barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;',
) =>
  kernel(
    'u64 out',
    `.shared .align 4 .b8 words[512]; mov.u32 %r1, %tid.x; mov.u32 %r2, words; mad.lo.s32 %r3, %r1, 4, %r2;
mov.u32 %r8, %cluster_ctarank; mov.u32 %r9, %cluster_nctarank; add.s32 %r4, %r1, %r9; st.shared.u32 [%r3], %r4;
${barrier}
xor.b32 %r5, %r1, 127; mad.lo.s32 %r5, %r5, 4, %r2;
mapa.shared::cluster.u32 %r6, %r5, ${rank};
ld.shared::cluster.u32 %r7, [%r6];
getctarank.shared::cluster.u32 %r10, %r6; add.s32 %r7, %r7, %r10;
ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r7;`,
  ).replace('.target sm_80', '.target sm_90');

test('a cluster of one block is the block', async () => {
  const out = new Uint32Array(128);
  await runPtx(device, text('%r8'), { block: 128, args: [out] });
  expect([...out]).toEqual(Array.from({ length: 128 }, (_, thread) => (thread ^ 127) + 1));
});

test('without the barrier it is a race, or nothing has been written', async () => {
  const body = text('%r8', '');
  await expectFault(
    device,
    body,
    { block: 128, args: [new Uint32Array(128)] },
    {
      kind: 'uninitialised-read',
      at: 'ld.shared::cluster.u32 %r7, [%r6];',
    },
  );
});

test('there is no other block in it', async () => {
  await expectFault(
    device,
    text('1'),
    { block: 128, args: [new Uint32Array(128)] },
    {
      kind: 'out-of-bounds',
      at: 'ld.shared::cluster.u32 %r7, [%r6];',
      thread: [0, 0, 0],
    },
  );
});
