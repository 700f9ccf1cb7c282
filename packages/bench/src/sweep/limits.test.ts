import type { Variant } from '@ffma/core';
import { expect, test } from 'vitest';
import { hopper } from '../test-support/limits.js';
import { sweptKernel } from '../test-support/swept-kernel.js';
import { judgeResources } from './limits.js';

const like = (threads: number, dynamicSharedBytes = 0, more: object = {}) =>
  Object.assign(Object.create(sweptKernel) as Variant, {
    derived: { threads, sharedBytes: 0, dynamicSharedBytes },
    definition: { ...sweptKernel.definition, ...more },
  });
const main = { registers: 64, sharedBytes: 1024, spillBytes: 0 };

test('figures are those of ptxas, with the occupancy that follows', () => {
  expect(judgeResources(like(256, 2048), { main }, hopper)).toEqual({
    outcome: 'built',
    registers: 64,
    sharedBytes: 3072,
    spillBytes: 0,
    blocksPerSm: 4,
  });
});

test.each([
  [like(1024), { ...main, registers: 65 }, 'too large', '65 registers × 1024 threads are 66560, of 65536.'],
  [like(64, 232_000), main, 'too large', 'A block takes 233024 bytes of shared memory, of 232448.'],
  [like(2048), main, 'too large', 'A block has 2048 threads, of 1024.'],
  [like(64), { ...main, spillBytes: 8 }, 'spills', 'It spills 8 bytes a thread.'],
])('what does not fit ends with its reason: %#', (variant, resources, outcome, reason) => {
  expect(judgeResources(variant, { main: resources }, hopper)).toMatchObject({ outcome, reason });
});

test('spills that the kernel explains are no reason', () => {
  const variant = like(64, 0, { allowSpills: 'Once, outside of the loop.' });
  expect(judgeResources(variant, { main: { ...main, spillBytes: 8 } }, hopper)).toMatchObject({
    outcome: 'built',
    spillBytes: 8,
  });
});

test('without ptxas only what is declared is judged', () => {
  expect(judgeResources(like(1024), undefined, hopper)).toEqual({ outcome: 'built', sharedBytes: 0 });
});
