import { ObjectCode } from '../../../dist/index.js';

/**
 * Copies one tile of a matrix to `out`, as it lies in shared memory, by way of the tensor memory accelerator: `bytes`
 * is the tile's size, `row` and `col` where it begins in the matrix. Where the tile does not arrive within two seconds
 * the kernel ends, and `out` stays as it was.
 */
export const tilePtx = `.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 1024 .b8 tile_of[];
.visible .entry tile(.param .u64 out, .param .align 64 .b8 map[128], .param .s32 row, .param .s32 col,
                     .param .u32 bytes) {
  .reg .pred %p, %late, %other;
  .reg .b32 %bar, %tile, %row, %col, %bytes, %i, %step, %at, %word;
  .reg .b64 %map, %out, %to, %state, %now, %limit;
  .shared .align 8 .b64 barrier;
  ld.param.u32 %bytes, [bytes];
  mov.u32 %bar, barrier;
  mov.u32 %tile, tile_of;
  mov.u32 %i, %tid.x;
  setp.ne.u32 %other, %i, 0;
  @%other bra ready;
  mbarrier.init.shared::cta.b64 [%bar], 1;
  fence.proxy.async.shared::cta;
  ld.param.s32 %row, [row];
  ld.param.s32 %col, [col];
  mov.b64 %map, map;
  cvta.param.u64 %map, %map;
  mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%bar], %bytes;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], [%map, {%col, %row}], [%bar];
ready:
  bar.sync 0;
  mov.u64 %limit, %globaltimer;
  add.u64 %limit, %limit, 2000000000;
again:
  mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0;
  @%p bra arrived;
  mov.u64 %now, %globaltimer;
  setp.gt.u64 %late, %now, %limit;
  @%late ret;
  bra again;
arrived:
  ld.param.u64 %out, [out];
  mov.u32 %step, %ntid.x;
  shl.b32 %i, %i, 2;
  shl.b32 %step, %step, 2;
next:
  setp.ge.u32 %p, %i, %bytes;
  @%p ret;
  add.u32 %at, %tile, %i;
  ld.shared.u32 %word, [%at];
  cvt.u64.u32 %to, %i;
  add.u64 %to, %out, %to;
  st.global.u32 [%to], %word;
  add.u32 %i, %i, %step;
  bra next;
}
`;

export const tileKernel = ObjectCode.fromPtx(tilePtx, { name: 'tile kernel', arch: 'compute_90' });
