import { type GoldenKernel, type GoldenMap, goldenKernel, PLANE } from './golden-kernel.js';

/** Puts predicate %p1 into value number `n` of the output. */
const say = (n: number) => `selp.b32 %r7, 1, 0, %p1; st.global.b32 [%rd2+${n * PLANE}], %r7;`;
const count = (n: number) => `mbarrier.pending_count.b64 %r7, %rd5; st.global.b32 [%rd2+${n * PLANE}], %r7;`;
const OWN_BARRIER = '.shared .align 8 .b8 bars[512]; mov.u32 %r4, bars; mad.lo.s32 %r4, %r0, 8, %r4;';

/** Each thread with an mbarrier of its own, that asks for three arrivals: what its states and waits say. */
const phases = goldenKernel(
  'mbarrier phases',
  'b32',
  `${OWN_BARRIER}
mbarrier.init.shared::cta.b64 [%r4], 3;
mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 0; ${say(0)}
mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 1; ${say(1)}
mbarrier.arrive.noComplete.shared::cta.b64 %rd5, [%r4], 1; ${count(2)}
mbarrier.test_wait.shared::cta.b64 %p1, [%r4], %rd5; ${say(3)}
mov.b64 %rd6, %rd5; mbarrier.arrive.noComplete.shared::cta.b64 %rd5, [%r4], 1; ${count(4)}
mbarrier.arrive.shared::cta.b64 %rd5, [%r4]; mbarrier.test_wait.shared::cta.b64 %p1, [%r4], %rd6; ${say(5)}
mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 1; ${say(6)}
mbarrier.arrive_drop.noComplete.shared::cta.b64 %rd5, [%r4], 1; ${count(7)}
mbarrier.arrive.shared::cta.b64 %rd5, [%r4], 2; mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 1; ${say(8)}
mbarrier.arrive.noComplete.shared::cta.b64 %rd5, [%r4], 1; ${count(9)}
mbarrier.arrive.shared::cta.b64 %rd6, [%r4]; mbarrier.try_wait.shared::cta.b64 %p1, [%r4], %rd6; ${say(10)}
mbarrier.inval.shared::cta.b64 [%r4];`,
  11,
  [],
);

/** The same with bytes that are announced and come. */
const transactions = goldenKernel(
  'mbarrier transactions',
  'b32',
  `${OWN_BARRIER}
mbarrier.init.shared::cta.b64 [%r4], 1;
mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [%r4], 96;
mbarrier.test_wait.shared::cta.b64 %p1, [%r4], %rd5; ${say(0)}
mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 0; ${say(1)}
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 32;
mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 0; ${say(2)}
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 64;
mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 0; ${say(3)}
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 16; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 16;
mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 1; ${say(4)}
mbarrier.arrive.shared::cta.b64 %rd5, [%r4]; mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r4], 1; ${say(5)}`,
  6,
  [],
);

/** One mbarrier for the block, which thread 0 makes; %p1 holds in thread 0. */
const BLOCK_BARRIER = `.shared .align 8 .b64 bar; .shared .align 1024 .b8 tile[1024]; mov.u32 %r4, bar; mov.u32 %r5, tile;
setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared::cta.b64 [%r4], 1; @%p1 fence.mbarrier_init.release.cluster; bar.sync 0;
@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd7, [%r4], 1024;`;
const WAIT = 'WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r4], 0; @!%p2 bra WAIT;';
/** A thread's 16 bytes of the tile. */
const READ = `mad.lo.s32 %r6, %r0, 16, %r5; ld.shared.v2.b64 {%rd5, %rd6}, [%r6]; st.global.b64 [%rd2], %rd5; st.global.b64 [%rd2+${PLANE}], %rd6;`;

/** 1024 bytes of the input in one copy. */
const load = goldenKernel(
  'cp.async.bulk to shared memory',
  'b64',
  `${BLOCK_BARRIER} ld.param.u64 %rd3, [in]; mul.wide.u32 %rd4, %r1, 1024; add.s64 %rd3, %rd3, %rd4;
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd3], 1024, [%r4];
${WAIT} ${READ}`,
  2,
  ['b64', 'b64'],
);

const OWN_WORD = 'ld.global.b64 %rd5, [%rd1]; mad.lo.s32 %r6, %r0, 8, %r5; st.shared.b64 [%r6], %rd5;';
const STORED = 'fence.proxy.async.shared::cta; bar.sync 0;';
const DONE = '@%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0;';

/** What the threads have, in one store. */
const store = goldenKernel(
  'cp.async.bulk to global memory',
  'b64',
  `.shared .align 1024 .b8 tile[1024]; mov.u32 %r5, tile; setp.eq.u32 %p1, %r0, 0; ${OWN_WORD} ${STORED}
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r5], 512; ${DONE}`,
  1,
  ['b64'],
);

const how = (swizzle: GoldenMap['swizzle']) => (swizzle === 'none' ? 'as it is' : `swizzled by ${swizzle}`);

/** Tiles of the input, a 16×64 matrix, of which some rows and columns are outside. */
function tile(width: number, swizzle: GoldenMap['swizzle']): GoldenKernel {
  const map: GoldenMap = { of: 'in', rows: 16, cols: 64, tile: [256 / width, width], swizzle };
  const body = `${BLOCK_BARRIER} mov.b64 %rd3, map; cvta.param.u64 %rd3, %rd3; mad.lo.s32 %r8, %r1, 5, -3; mul.lo.s32 %r9, %r1, 20; sub.s32 %r9, %r9, 4;
@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r5], [%rd3, {%r9, %r8}], [%r4];
${WAIT} ${READ}`;
  return goldenKernel(`tile of ${width} columns ${how(swizzle)}`, 'b64', body, 2, ['b64', 'b64'], map);
}

/** Stores of tiles into the output, a 16×64 matrix; the upper rows are outside. */
function tileStore(width: 8 | 16, swizzle: GoldenMap['swizzle']): GoldenKernel {
  const map: GoldenMap = { of: 'out', rows: 16, cols: 64, tile: [128 / width, width], swizzle };
  const body = `.shared .align 1024 .b8 tile[1024]; mov.u32 %r5, tile; setp.eq.u32 %p1, %r0, 0; ${OWN_WORD} ${STORED}
mov.b64 %rd3, map; cvta.param.u64 %rd3, %rd3; mul.lo.s32 %r9, %r1, ${width};
@%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd3, {%r9, -2}], [%r5]; ${DONE}`;
  return goldenKernel(`store of a tile of ${width} columns ${how(swizzle)}`, 'b64', body, 2, ['b64'], map);
}

export const bulkKernels: readonly GoldenKernel[] = [
  phases,
  transactions,
  load,
  store,
  tile(32, 'none'),
  tile(16, 'none'),
  tile(8, '32B'),
  tile(16, '64B'),
  tile(32, '128B'),
  tile(16, '128B'),
  tileStore(16, 'none'),
  tileStore(16, '64B'),
  tileStore(8, '32B'),
];
