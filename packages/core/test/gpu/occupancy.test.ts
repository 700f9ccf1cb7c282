import { describe, expect } from 'vitest';
import { ObjectCode, occupancyOf } from '../../dist/index.js';
import { gpuTest, skipWithout } from './support/gpu.js';

/** A kernel that keeps `live` values in registers across a loop, for `threads` threads, with static shared memory. */
function kernelWith(live: number, threads: number, staticBytes: number): string {
  const each = (text: (i: number) => string) => Array.from({ length: live }, (_, i) => text(i)).join('\n  ');
  return `.version 7.0
.target sm_80
.address_size 64
.visible .entry busy(.param .u64 out, .param .u32 count)
.maxntid ${threads}, 1, 1 {
  .reg .pred %p; .reg .b32 %n; .reg .b32 %t; .reg .b64 %a<4>; .reg .f32 %f<${live}>;
  ${staticBytes > 0 ? `.shared .align 16 .b8 tile[${staticBytes}];` : ''}
  ld.param.u64 %a1, [out];
  ld.param.u32 %n, [count];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %a2, %t, ${4 * live}, %a1;
  ${staticBytes > 0 ? 'mov.u32 %t, tile;\n  st.shared.u32 [%t], %n;' : ''}
  ${each((i) => `ld.volatile.global.f32 %f${i}, [%a2+${4 * i}];`)}
again:
  ${each((i) => `fma.rn.f32 %f${i}, %f${i}, %f${(i + 1) % live}, %f${(i + 7) % live}; `)}
  sub.u32 %n, %n, 1;
  setp.ne.u32 %p, %n, 0;
  @%p bra again;
  ${each((i) => `st.volatile.global.f32 [%a2+${4 * i}], %f${i};`)}
  ret;
}
`;
}

const configurations = [
  { live: 8, threads: 1024, staticBytes: 0, dynamicBytes: 0 },
  { live: 8, threads: 32, staticBytes: 0, dynamicBytes: 0 },
  { live: 24, threads: 96, staticBytes: 0, dynamicBytes: 0 },
  { live: 60, threads: 256, staticBytes: 0, dynamicBytes: 0 },
  { live: 100, threads: 128, staticBytes: 0, dynamicBytes: 0 },
  { live: 150, threads: 192, staticBytes: 0, dynamicBytes: 0 },
  { live: 200, threads: 256, staticBytes: 0, dynamicBytes: 0 },
  { live: 230, threads: 128, staticBytes: 0, dynamicBytes: 0 },
  { live: 16, threads: 128, staticBytes: 16_384, dynamicBytes: 0 },
  { live: 16, threads: 128, staticBytes: 49_152, dynamicBytes: 0 },
  { live: 16, threads: 64, staticBytes: 1000, dynamicBytes: 24_600 },
  { live: 16, threads: 256, staticBytes: 0, dynamicBytes: 75_648 },
  { live: 16, threads: 256, staticBytes: 0, dynamicBytes: 115_712 },
  { live: 16, threads: 256, staticBytes: 0, dynamicBytes: 115_840 },
  { live: 100, threads: 256, staticBytes: 0, dynamicBytes: 204_800 },
] as const;

describe('the occupancy formula', () => {
  for (const { live, threads, staticBytes, dynamicBytes } of configurations) {
    const title = `gives what the driver gives: ${live} live values, ${threads} threads, ${staticBytes}+${dynamicBytes} bytes`;
    gpuTest(title, async (device, context) => {
      const { limits } = device;
      if (staticBytes + dynamicBytes > limits.sharedBytesPerBlockOptin)
        skipWithout(context, 'shared memory', 'This GPU has less shared memory.');
      using loaded = await device.load(ObjectCode.fromPtx(kernelWith(live, threads, staticBytes)));
      const kernel = loaded.kernel('busy');
      const { numRegs: registersPerThread = 0, sharedBytes, localBytes } = kernel.attributes;
      expect(registersPerThread).toBeGreaterThanOrEqual(live);
      expect([sharedBytes, localBytes]).toEqual([staticBytes, 0]);
      const block = { threads, registersPerThread, sharedBytes: staticBytes + dynamicBytes };
      expect(occupancyOf(block, limits).blocksPerSm).toBe(device.occupancy(kernel, threads, dynamicBytes));
    });
  }
});
