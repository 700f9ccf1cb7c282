import type { Stream } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ffmaKernel, ffmasPerIteration, outerProductKernel } from '../src/roofline/ceiling-kernels.js';
import type { CeilingWork } from '../src/roofline/ceiling-runs.js';
import { checkCeiling } from '../src/roofline/check-ceiling.js';
import { withCeilings } from '../src/roofline/measure-ceilings.js';

let device: EmulatorDevice;
beforeAll(() => {
  device = new EmulatorDevice({ counters: true, fma: 'f64' });
});
afterAll(() => device.close());

/** What each kernel executed, by symbol, when its result was checked. */
async function counted(work: CeilingWork) {
  device.takeProfiles();
  const flops = await withCeilings(device, work, async (runs) =>
    Object.fromEntries(runs.map(({ symbol = 'copy', flops: each }) => [symbol, each])),
  );
  const profiles = new Map(device.takeProfiles().map((profile) => [profile.kernel, profile]));
  const executed = (symbol: string) => {
    const { instructions } = profiles.get(symbol)!;
    const counts = Object.values(instructions as Readonly<Record<string, number>>);
    return { ffma: instructions.ffma ?? 0, total: counts.reduce((x, y) => x + y, 0) };
  };
  return { flops, executed, profiles };
}

const small: CeilingWork = { iterations: 1, bytes: 2 ** 20, smCount: 1 };

test('every ceiling computes what is known, and as many FFMAs as its rate is taken from', async () => {
  const one = await counted(small);
  const two = await counted({ ...small, iterations: 2 });
  for (const kernel of [ffmaKernel, outerProductKernel]) {
    const { symbol } = kernel.entry;
    const threads = kernel.threads * kernel.blocksPerSm;
    const iterations = kernel === outerProductKernel ? 2 : 1;
    expect(one.executed(symbol).ffma).toBe(threads * iterations * ffmasPerIteration(kernel));
    expect(one.flops[symbol]).toBe(2 * one.executed(symbol).ffma);
    // What one more iteration adds is the loop alone.
    const ffma = two.executed(symbol).ffma - one.executed(symbol).ffma;
    const all = two.executed(symbol).total - one.executed(symbol).total;
    expect(ffma).toBe(threads * iterations * ffmasPerIteration(kernel));
    expect(ffma / all, symbol).toBeGreaterThan(0.98);
  }
});

test('the read asks for each byte once, in whole sectors; also where threads do not divide them', async () => {
  const reads = async (work: CeilingWork) => {
    const { profiles } = await counted(work);
    const loads = profiles.get('ffma_ceiling_read')!.sites.filter(({ kind }) => kind === 'load');
    const sum = (of: (site: (typeof loads)[number]) => number) =>
      loads.reduce((total, site) => total + of(site), 0);
    return { bytes: sum(({ bytesRequested }) => bytesRequested), sectors: sum(({ sectors }) => sectors) };
  };
  expect(await reads(small)).toEqual({ bytes: small.bytes, sectors: small.bytes / 32 });
  const ragged = small.bytes + 16 * 37;
  expect(await reads({ ...small, bytes: ragged })).toMatchObject({ bytes: ragged });
});

test('a ceiling whose result is wrong gives no time', async () => {
  await withCeilings(device, small, async (runs) => {
    using stream = device.createStream();
    for (const run of runs.filter(({ out }) => out !== undefined)) {
      const spoilt = {
        ...run,
        enqueue: (to: Stream) => {
          run.enqueue(to);
          run.out?.fill(to, 0x3f80_0000, 0, 4);
        },
      };
      await expect(checkCeiling(stream, spoilt, small), run.name).rejects.toThrow(
        /so its time means nothing/,
      );
    }
  });
});
