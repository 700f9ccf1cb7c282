import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type DiscoveredKernel,
  discoverKernels,
  planSweep,
  type SearchSpace,
  type SweepOptions,
  sweep,
  sweepProtocol,
} from '@ffma/bench';
import { type Device, openDevice } from '@ffma/core';
import { findToolchains } from '@ffma/core/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const sizes = [{ m: 512, n: 512, k: 512 }];
const protocol = sweepProtocol({ finalists: 2, firstRounds: 2, firstLaunches: 3, rounds: 4, launches: 5 });

/** Why these tests cannot run here; undefined where there is a GPU and a compiler. */
const missing = await (async () => {
  if (!(await findToolchains()).some(({ available }) => available)) return 'There is no CUDA compiler.';
  try {
    await using _ = await openDevice('cuda');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
})();

declare module 'vitest' {
  interface TaskMeta {
    /** Why it is skipped, as a sentence. */
    reason?: string;
  }
}

/** The space of a kernel along the first of its axes that has several candidates at the size. */
function oneAxis(kernel: DiscoveredKernel): SearchSpace | undefined {
  const { search = {}, params = {} } = kernel.definition ?? {};
  const along = (axis: string): SearchSpace =>
    Object.fromEntries(
      Object.entries(search).map(([name, values = []]) => [
        name,
        name === axis ? values : [params[name] ?? 0],
      ]),
    );
  return Object.keys(search)
    .map(along)
    .find((space) => {
      const { sizes: planned } = planSweep(
        { gemm: kernel.gemm, kernel },
        { sizes, space: [space], protocol },
      );
      return (planned[0]?.takes ?? 0) >= 3;
    });
}

if (missing === undefined) describe('a sweep on a GPU', register);
else describe('a sweep on a GPU', { skip: true, meta: { reason: missing } }, register);

function register(): void {
  const folder = mkdtempSync(join(tmpdir(), 'ffma-sweep-'));
  let device: Device;
  beforeAll(async () => {
    device = await openDevice('cuda');
  });
  afterAll(() => {
    device?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('ends with a winner that was right before and after; interrupted and resumed, it measures no more', async () => {
    const discovery = await discoverKernels(root);
    const found = discovery.kernels.flatMap((kernel) => {
      const space = oneAxis(kernel);
      return space === undefined ? [] : [{ kernel, space }];
    })[0];
    if (found === undefined) throw new Error('No kernel here has an axis with three candidates.');
    const { kernel, space } = found;
    const options: SweepOptions = {
      sizes,
      discovery,
      space: [space],
      protocol,
      file: join(folder, 'sweep.json'),
    };
    const controller = new AbortController();
    const onStep: SweepOptions['onStep'] = ({ label }) => {
      if (/rung 1: round 2/.test(label)) controller.abort();
    };
    const selected = { gemm: kernel.gemm, kernel };
    const ended = await sweep(device, selected, { ...options, onStep, signal: controller.signal });
    expect(ended.interrupted).toBe(true);
    const result = await sweep(device, selected, { ...options, resume: true });
    expect(result.records.slice(0, ended.records.length)).toEqual(ended.records);
    expect(result.variants.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
    const [at] = result.sizes;
    expect(at?.ranking[0]).toMatchObject({ id: at?.winner, rung: 'final', rounds: 4 });
    expect(at?.ranking[0]?.ratio?.median).toBeGreaterThan(0);
  }, 300_000);
}
