import { multiply, openDevice } from '@ffma/core';
import { counterFacts, type EmulatorDevice } from '@ffma/emulator';
import { k10 } from '@ffma/kernels-cudacore';
import { expect, test } from 'vitest';

/** What a variant's loads of shared memory cost at one tile. */
async function sharedLoads(variant: string) {
  await using device = (await openDevice('emulator', { counters: true, checks: false })) as EmulatorDevice;
  const { params } = k10.variants.get(variant)!;
  const shape = { m: params.BM, n: params.BN, k: 64 };
  const [a, b] = [shape.m, shape.n].map((rows) => new Float32Array(rows * shape.k).fill(1));
  await multiply(device, k10.variants.get(variant)!, a!, b!, { ...shape, compile: true });
  const facts = counterFacts(device.takeProfiles());
  const value = (name: string) => facts.value(`shared.load.${name}`);
  return {
    requests: value('requests'),
    conflicts: value('bankConflicts'),
    ideal: value('idealWavefronts'),
  };
}

test('eight lanes beside each other: dealt out without a conflict, each bank twice where columns are side by side', async () => {
  const [dealt, together] = [await sharedLoads('default'), await sharedLoads('256x128x16_16x8_noremap')];
  expect(dealt.conflicts).toBe(0);
  expect(together.conflicts).toBeGreaterThan(0);
  expect(together.requests).toBe(dealt.requests);
  expect(together.ideal).toBe(dealt.ideal);
});

test('four lanes beside each other meet in no bank either way', async () => {
  for (const variant of ['128x64x16_8x8', '128x64x16_8x8_noremap'])
    expect((await sharedLoads(variant)).conflicts, variant).toBe(0);
});
