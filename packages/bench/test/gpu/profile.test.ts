import { fileURLToPath } from 'node:url';
import {
  checkSass,
  decodeSass,
  discoverKernels,
  measureCeilings,
  parseSizes,
  profile,
  selectKernels,
  type TimingDevice,
} from '@ffma/bench';
import { openDevice } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import { builtCeilings } from '../../src/roofline/ceiling-code.js';
import { sassFacts } from '../../src/sass/facts.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Why these tests cannot run here; undefined where there is a GPU. */
const missing = await (async () => {
  try {
    await using _ = await openDevice('cuda');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
})();

describe('a profile', () => {
  test('counts the multiply-adds of a product, one by one', async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const discovery = await discoverKernels(root);
    const n = 512;
    const result = await profile(selectKernels(discovery, ['k02']), {
      discovery,
      sizes: parseSizes(`${n}`),
      timeoutMs: 120_000,
    }).catch((error: Error & { code?: string }) => {
      // No ncu, no permission, or a sandbox: not of this package.
      if (error.code === 'FFMA_UNAVAILABLE') skip(error.message);
      throw error;
    });
    const [row] = result?.rows ?? [];
    expect(row).toMatchObject({ status: 'profiled' });
    const [launch, ...others] = row?.launches ?? [];
    expect(others).toEqual([]);
    expect(launch?.metrics['instructions.ffma']).toBe(n ** 3);
    expect(launch?.opcodes).toMatchObject({ level: 'executed' });
    expect(32 * (launch?.opcodes?.counts.FFMA ?? 0)).toBe(n ** 3);
    expect(launch?.metrics['dram.readBytes']).toBeGreaterThan(2 * 4 * n * n * 0.9);
    expect(launch?.metrics['issue.active']).toBeGreaterThan(0);
  }, 180_000);
});

describe('ceilings', () => {
  test('are below what the GPU can reach, and FFMAs come near it', async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    await using device = await openDevice('cuda');
    const { compute, memory } = await measureCeilings(device as TimingDevice, { protocol: { rounds: 3 } });
    const [ffma, outer] = compute;
    expect(ffma?.ofNominal).toBeGreaterThan(0.9);
    expect(ffma?.ofNominal).toBeLessThanOrEqual(1);
    expect(outer?.ofNominal).toBeGreaterThan(0.75);
    for (const { gbps } of memory) expect(gbps).toBeGreaterThan(100);
  }, 120_000);

  test('are FFMAs that accumulate in place and wait for no register', async ({ skip }) => {
    const cubins = await builtCeilings('cubin');
    if (cubins.length === 0) skip('no machine code of them was built here');
    const limits = { ffmaShare: 0.98, inPlaceShare: 0.9, slowReadsShare: 0.2, bankConflicts: 0 };
    for (const { id, bytes } of cubins.filter((one) => one.id !== 'read')) {
      const [code] = decodeSass(bytes);
      expect(code === undefined ? ['no code'] : checkSass(sassFacts(code), limits), id).toEqual([]);
    }
  });
});
