import { ObjectCode } from '../../../dist/index.js';

/**
 * Every block counts itself in `count`, and waits until `blocks` have: that ends only where all of them are on the GPU
 * at the same time, or after two seconds. `met[block]` says whether they met. The first and last word of `bytes` bytes of
 * dynamic shared memory hold what was written there: they are really the block's own.
 */
export const residentKernel = ObjectCode.fromPtx(
  `.version 7.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 memory[];
.visible .entry resident(.param .u64 count, .param .u64 met, .param .u32 blocks, .param .u32 bytes) {
  .reg .pred %p, %other; .reg .b32 %r<9>; .reg .b64 %a<4>; .reg .b64 %t<3>;
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %other, %r1, 0;
  @%other ret;
  ld.param.u64 %a1, [count];
  ld.param.u64 %a2, [met];
  ld.param.u32 %r2, [blocks];
  ld.param.u32 %r3, [bytes];
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, memory;
  add.u32 %r3, %r3, %r5;
  st.volatile.shared.u32 [%r5], %r4;
  st.volatile.shared.u32 [%r3+-4], %r4;
  atom.global.add.u32 %r6, [%a1], 1;
  mov.u64 %t1, %globaltimer;
  add.u64 %t1, %t1, 2000000000;
again:
  ld.volatile.global.u32 %r6, [%a1];
  setp.ge.u32 %p, %r6, %r2;
  @%p bra over;
  mov.u64 %t2, %globaltimer;
  setp.lt.u64 %p, %t2, %t1;
  @%p bra again;
over:
  setp.ge.u32 %p, %r6, %r2;
  selp.u32 %r7, 1, 0, %p;
  ld.volatile.shared.u32 %r6, [%r5];
  ld.volatile.shared.u32 %r8, [%r3+-4];
  setp.eq.and.u32 %p, %r6, %r4, %p;
  setp.eq.and.u32 %p, %r8, %r4, %p;
  selp.u32 %r7, %r7, 0, %p;
  mad.wide.u32 %a3, %r4, 4, %a2;
  st.global.u32 [%a3], %r7;
  ret;
}
`,
  { name: 'resident kernel', arch: 'compute_80' },
);
