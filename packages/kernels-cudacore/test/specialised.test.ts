import { type Gemm, gemmProblem, multiply } from '@ffma/core';
import { findToolchains } from '@ffma/core/compile';
import { counterFacts, EmulatorDevice, profiles } from '@ffma/emulator';
import { k13 } from '@ffma/kernels-cudacore';
import { describe, expect, test } from 'vitest';

const shape = { m: 256, n: 128, k: 96 };
const open = k13.variant('f_256x128x16');
const filled = open.forShape(shape);

describe('sizes that are compiled in', () => {
  const { arch, limits } = profiles.h200;
  const resources = { main: { registers: 215, sharedBytes: 0, spillBytes: 0, estimated: true } };
  const entries = (variant: typeof filled, rest = {}) =>
    variant
      .plan(gemmProblem({ ...shape, ...rest }), { arch, limits }, resources)
      .launches.map(({ entry }) => entry);

  test('are in the id, and in what the variant needs', () => {
    expect(filled.id).toBe('k13_f_256x128x16_256x128x96');
    expect(filled.needs.exactly).toEqual(shape);
    expect([open.open, filled.open, filled.specialised]).toEqual([true, false, true]);
  });

  test('are the only ones that it takes', () => {
    expect(filled.refusal(gemmProblem(shape))).toBeUndefined();
    expect(filled.refusal(gemmProblem({ ...shape, k: 80 }))).toMatch(/96/);
    expect(() => open.forShape({ ...shape, m: 128 })).toThrow(/m .*256/);
  });

  test('are strides only where the matrices are packed, and no products where alpha is 0', () => {
    expect(entries(filled)).toEqual(['main']);
    expect(entries(filled, { lda: 100 })).toEqual(['strided']);
    expect(entries(filled, { ldc: 132 })).toEqual(['strided']);
    expect(entries(filled, { alpha: 0, beta: 2 })).toEqual(['scale']);
    expect(entries(k13.variant('256x128x16_nospread') as typeof filled, { lda: 100, alpha: 0 })).toEqual([
      'main',
    ]);
  });
});

/** Counters speak about the code that nvcc emits; clang has its own way with addresses. */
const toolchains = await findToolchains();
const nvcc = toolchains.some(({ name, available }) => name === 'nvcc' && available);

const countFewer = async () => {
  const [a, b] = [shape.m * shape.k, shape.k * shape.n].map((count) => new Float32Array(count).fill(1));
  const count = async (gemm: Gemm) => {
    await using device = new EmulatorDevice({ counters: true, checks: false });
    await multiply(device, gemm, a as Float32Array, b as Float32Array, { ...shape, compile: true });
    return counterFacts(device.takeProfiles());
  };
  const generic = await count(k13.variant('256x128x16_nospread'));
  const specialised = await count(filled);
  for (const same of ['instructions.ffma', 'shared.load.requests', 'global.load.sectors', 'async.bytes']) {
    expect(specialised.value(same), same).toBe(generic.value(same));
  }
  for (const fewer of ['instructions.total', 'instructions.load.param', 'instructions.integer']) {
    expect(specialised.value(fewer), fewer).toBeLessThan(generic.value(fewer));
  }
};

if (nvcc) test('constants need no instructions: fewer of them, for the same work', countFewer);
