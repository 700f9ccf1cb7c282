import { ObjectCode } from '../../../dist/index.js';

const head = (version: string, target: string) => `.version ${version}
.target ${target}
.address_size 64
`;

/** values[i] += what for i below count. */
const add = `.visible .entry add(.param .u64 values, .param .f32 what, .param .u32 count) {
  .reg .pred %p; .reg .b32 %r<5>; .reg .b64 %a<3>; .reg .f32 %f<3>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  ld.param.u32 %r4, [count];
  setp.ge.u32 %p, %r1, %r4;
  @%p ret;
  ld.param.u64 %a1, [values];
  mad.wide.u32 %a2, %r1, 4, %a1;
  ld.global.f32 %f1, [%a2];
  ld.param.f32 %f2, [what];
  add.f32 %f1, %f1, %f2;
  st.global.f32 [%a2], %f1;
  ret;
}
`;

/** Takes this many nanoseconds. */
const spin = `.visible .entry spin(.param .u64 ns) {
  .reg .pred %p; .reg .b64 %t<4>;
  ld.param.u64 %t1, [ns];
  mov.u64 %t2, %globaltimer;
  add.u64 %t1, %t1, %t2;
again:
  mov.u64 %t3, %globaltimer;
  setp.lt.u64 %p, %t3, %t1;
  @%p bra again;
  ret;
}
`;

/** Writes where no memory is. */
const crash = `.visible .entry crash() {
  .reg .b64 %a; .reg .b32 %r;
  mov.u64 %a, 4096;
  mov.u32 %r, 1;
  st.global.u32 [%a], %r;
  ret;
}
`;

/** Thread 0 leaves its block's number in the last of \`bytes\` bytes of dynamic shared memory, and copies it to out. */
const shared = `.extern .shared .align 16 .b8 memory[];
.visible .entry shared(.param .u64 out, .param .u32 bytes) {
  .reg .b32 %r<5>; .reg .b64 %a<3>;
  mov.u32 %r1, %ctaid.x;
  ld.param.u32 %r2, [bytes];
  mov.u32 %r3, memory;
  add.u32 %r2, %r2, %r3;
  st.shared.u32 [%r2+-4], %r1;
  ld.shared.u32 %r4, [%r2+-4];
  ld.param.u64 %a1, [out];
  mad.wide.u32 %a2, %r1, 4, %a1;
  st.global.u32 [%a2], %r4;
  ret;
}
`;

/** out[block] = blocks of its cluster × 100 + its rank there. */
const cluster = `.visible .entry cluster(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %a<3>;
  mov.u32 %r1, %cluster_nctarank;
  mov.u32 %r2, %cluster_ctarank;
  mad.lo.u32 %r2, %r1, 100, %r2;
  mov.u32 %r3, %ctaid.x;
  ld.param.u64 %a1, [out];
  mad.wide.u32 %a2, %r3, 4, %a1;
  st.global.u32 [%a2], %r2;
  ret;
}
`;

const nothing = '.visible .entry nothing() { ret; }\n';

export const kernelPtx = head('7.0', 'sm_80') + add + spin + crash + shared + nothing;
export const kernels = ObjectCode.fromPtx(kernelPtx, { name: 'test kernels', arch: 'compute_80' });
export const clusterKernel = ObjectCode.fromPtx(head('8.0', 'sm_90') + cluster, {
  name: 'cluster kernel',
  arch: 'compute_90',
});
/** PTX of a version that no driver knows. */
export const futurePtx = ObjectCode.fromPtx(head('99.9', 'sm_90') + nothing, { name: 'PTX of the future' });
export const wrongPtx = ObjectCode.fromPtx(
  `${head('7.0', 'sm_80')}.visible .entry wrong() { frobnicate.u32 %r1; ret; }\n`,
  { name: 'wrong PTX' },
);

export const block = (threads: number, grid = 1) => ({ grid: [grid, 1, 1], block: [threads, 1, 1] }) as const;
