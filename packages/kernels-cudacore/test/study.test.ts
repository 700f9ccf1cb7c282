import { type CounterFacts, type Gemm, multiply, openDevice } from '@ffma/core';
import { counterFacts, type EmulatorDevice } from '@ffma/emulator';
import {
  blocktiling2d,
  blocktiling2dVec4V1,
  warptilingV0,
  warptilingV1,
  warptilingV2,
  warptilingV7,
} from '@ffma/kernels-cudacore';
import { expect, test } from 'vitest';

/** Counters of one block tile, with as few chunks as every kernel takes. */
async function counted(gemm: Gemm): Promise<CounterFacts> {
  await using device = (await openDevice('emulator', { counters: true, checks: false })) as EmulatorDevice;
  const [m, n, k] = [128, 128, 16];
  await multiply(device, gemm, new Float32Array(m * k), new Float32Array(k * n), { m, n, k, compile: true });
  return counterFacts(device.takeProfiles());
}

// The study has the excess at 4096³ as “MB”; they are millions of sectors, of which C has 4096² / 8.
test.each([
  ['blocktiling_2d', blocktiling2d, 14.68],
  ['blocktiling_2d_vec4_v1', blocktiling2dVec4V1, 2.1],
  ['warptiling_v0', warptilingV0, 14.68],
  ['warptiling_v1', warptilingV1, 6.29],
  ['warptiling_v7', warptilingV7, 0],
])("%s has the study's sectors in excess, all of them in stores of C", async (_, kernel, published) => {
  const facts = await counted(kernel as unknown as Gemm);
  const needed = (128 * 128) / 8;
  const excess = (facts.value('global.store.sectors') - needed) / needed;
  expect(((excess * 4096 ** 2) / 8 / 1e6).toFixed(2)).toBe(published.toFixed(2));
  expect(facts.value('global.load.bytesPerSector')).toBe(32);
});

test.each([
  ['warptiling_v2', warptilingV2],
  ['warptiling_v7', warptilingV7],
])('%s with VEC4 asks a quarter as often for the same sectors, and conflicts no more', async (_, kernel) => {
  const [one, four] = [
    await counted(kernel as unknown as Gemm),
    await counted(kernel.variant('vec4_128x128x8_32x64x8') as unknown as Gemm),
  ];
  expect(one.value('global.load.requests')).toBe(4 * four.value('global.load.requests'));
  for (const name of [
    'global.load.sectors',
    'global.store.sectors',
    'shared.load.requests',
    'instructions.ffma',
  ]) {
    expect([name, four.value(name)]).toEqual([name, one.value(name)]);
  }
  expect(four.value('shared.store.bankConflicts')).toBe(0);
});
