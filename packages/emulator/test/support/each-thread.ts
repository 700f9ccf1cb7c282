import type { EmulatorDevice } from '@ffma/emulator';
import { kernel, runPtx } from './run-ptx.js';

/** Stores a 32-bit register of each thread of a block, however it is shaped. */
export const store = (register: string, type = 'u32') => `
mov.u32 %r70, %tid.x; mov.u32 %r71, %tid.y; mov.u32 %r72, %tid.z; mov.u32 %r73, %ntid.x; mov.u32 %r74, %ntid.y;
mad.lo.s32 %r71, %r72, %r74, %r71; mad.lo.s32 %r70, %r71, %r73, %r70; ld.param.u64 %rd70, [out];
mul.wide.u32 %rd71, %r70, 4; add.s64 %rd72, %rd70, %rd71; st.global.${type} [%rd72], ${register};`;

/** What each thread of a block left by {@link store}, for a kernel of this body. */
export async function eachThread(
  device: EmulatorDevice,
  body: string,
  variables = '',
  block: number | [number, number, number] = 64,
): Promise<number[]> {
  const count = typeof block === 'number' ? block : block[0] * block[1] * block[2];
  const out = new Uint32Array(count);
  await runPtx(device, kernel('u64 out', body, variables), { block, args: [out] });
  return [...out];
}

/** One 32-bit value a thread. */
export const threads = (of: (t: number) => number, count = 64): number[] =>
  Array.from({ length: count }, (_, t) => of(t) >>> 0);
