import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { exactFma } from './support/exact-fma.js';
import { fmaTriples } from './support/fma-triples.js';
import { kernel, runPtx } from './support/run-ptx.js';

const COUNT = 200_000;
const BLOCK = 256;
const triples = fmaTriples(COUNT);
const exact = Float32Array.from(triples.a, (a, i) => exactFma(a, triples.b[i]!, triples.c[i]!));
const expected = new Uint32Array(exact.buffer);

/** Opens a device on one path, or says why this machine has none. */
function open(fma: 'relaxed' | 'f64'): { device: EmulatorDevice | undefined; title: string } {
  try {
    return { device: new EmulatorDevice({ cache: false, fma }), title: `path ${fma}` };
  } catch (error) {
    return { device: undefined, title: `path ${fma}, not to be had here: ${(error as Error).message}` };
  }
}
const paths = [open('f64'), open('relaxed')];
afterAll(() => {
  for (const { device } of paths) device?.close();
});

const load = ['a', 'b', 'c']
  .map((p, i) => `ld.param.u64 %rd1, [${p}]; add.s64 %rd2, %rd1, %rd10; ld.global.f32 %f${i}, [%rd2];`)
  .join('\n');
const fma = 'fma.rn.f32 %f3, %f0, %f1, %f2;';
const store = 'ld.param.u64 %rd1, [out]; add.s64 %rd2, %rd1, %rd10; st.global.f32 [%rd2], %f3;';
const index = `mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1; setp.ge.u32 %p1, %r4, ${COUNT}; @%p1 ret; mul.wide.u32 %rd10, %r4, 4;`;

/** One thread a triple; `uniform` instead walks through a block's triples, all threads at the same one. */
const KERNELS = {
  'four lanes at once': `${index}\n${load}\n${fma}\n${store}`,
  'a value that all lanes share': `
mov.u32 %r2, %ctaid.x; mul.lo.s32 %r4, %r2, ${BLOCK}; add.s32 %r5, %r4, ${BLOCK}; min.u32 %r5, %r5, ${COUNT};
LOOP: mul.wide.u32 %rd10, %r4, 4;\n${load}\n${fma}\n${store}
add.s32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, %r5; @%p2 bra LOOP;`,
  'lanes apart': `${index} and.b32 %r5, %r1, 1; setp.eq.s32 %p2, %r5, 0; @%p2 bra EVEN;\n${load}\n${fma}\n${store}\nret;\nEVEN:\n${load}\n${fma}\n${store}`,
  'under a guard': `${index} and.b32 %r5, %r1, 1; setp.eq.s32 %p2, %r5, 0; mov.f32 %f3, 0f00000000; mov.f32 %f4, 0f00000000;\n${load}\n@%p2 ${fma}\n@!%p2 ${fma}\n${store}`,
  'into its own addend, twice, a factor kept': `${index}\n${load}\nmov.f32 %f3, %f2; fma.rn.f32 %f4, %f0, %f1, %f3; fma.rn.f32 %f3, %f0, %f1, %f3; mov.b32 %r6, %f3; mov.b32 %r7, %f4; setp.ne.b32 %p2, %r6, %r7; @%p2 mov.f32 %f3, 0f7FC00001;\n${store}`,
} as const;

/** Bits that differ, but for NaNs, as sentences. */
function differences(out: Uint32Array): string[] {
  const found: string[] = [];
  const floats = new Float32Array(out.buffer);
  for (let i = 0; i < COUNT && found.length < 5; i++) {
    if (out[i] === expected[i] || (Number.isNaN(floats[i]!) && Number.isNaN(exact[i]!))) continue;
    found.push(`fma(${triples.a[i]}, ${triples.b[i]}, ${triples.c[i]}) = ${floats[i]}, not ${exact[i]}`);
  }
  return found;
}

describe.each(paths)('$title', ({ device }) => {
  test.each(Object.entries(KERNELS))('%s', async (title, body) => {
    if (device === undefined) return;
    const ptx = kernel('u64 a, u64 b, u64 c, u64 out', body);
    const out = new Uint32Array(COUNT);
    const block = title === 'a value that all lanes share' ? 4 : BLOCK;
    await runPtx(device, ptx, {
      grid: Math.ceil(COUNT / BLOCK),
      block,
      args: [triples.a, triples.b, triples.c, out],
    });
    expect(differences(out)).toEqual([]);
  });
});

test('a device says which path it takes; the one asked for, if any', () => {
  expect(paths[0]!.device?.fma).toBe('f64');
  if (paths[1]!.device !== undefined) expect(paths[1]!.device.fma).toBe('relaxed');
});

test('the reference itself: ties, subnormals, zeros', () => {
  const odd = 1 + 2 ** -23;
  expect(exactFma(1 + 2 ** -23, 2 ** -24 * (1 - 2 ** -23), odd)).toBe(odd);
  expect(exactFma(1, 2 ** -24, 1)).toBe(1);
  expect(exactFma(1, 2 ** -24, odd)).toBe(1 + 2 ** -22);
  expect(exactFma(2 ** -75, 2 ** -74, 2 ** -149)).toBe(2 ** -148);
  expect(exactFma(2 ** -75, 2 ** -75, 0)).toBe(0);
  expect(Object.is(exactFma(-1, 0, 0), 0)).toBe(true);
  expect(Object.is(exactFma(-1, 0, -0), -0)).toBe(true);
  expect(Object.is(exactFma(2, 3, -6), 0)).toBe(true);
  expect(exactFma(2 ** 64, 2 ** 64, 0)).toBe(Number.POSITIVE_INFINITY);
});
