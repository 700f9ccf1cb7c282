import { readFileSync } from 'node:fs';
import { KernelFaultError } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { lineOf, runPtx } from './support/run-ptx.js';

const checked = new EmulatorDevice({ cache: false, workers: 2 });
const unchecked = new EmulatorDevice({ cache: false, workers: 2, checks: false });
afterAll(() => {
  checked.close();
  unchecked.close();
});

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}.ptx`, import.meta.url), 'utf8');
const right = fixture('pipeline');

/** The right kernel with one place changed, which must be there. */
function mutant(from: string | RegExp, to: string): string {
  const changed = right.replace(from, to);
  expect(changed).not.toBe(right);
  return changed;
}

const TILE = 32;
const small = (i: number) => ((i * 7919) % 13) - 6;

/** A·B of small whole numbers by the kernel, and as it must be. */
async function multiply(device: EmulatorDevice, ptx: string, m: number, n: number, k: number) {
  const a = Float32Array.from({ length: m * k }, (_, i) => small(i));
  const b = Float32Array.from({ length: k * n }, (_, i) => small(i + 5));
  const c = new Float32Array(m * n);
  await runPtx(device, ptx, {
    kernel: 'pipeline',
    grid: [n / TILE, m / TILE, 1],
    block: 64,
    args: [a, b, c, n, k],
  });
  const wanted = Float32Array.from({ length: m * n }, (_, i) => {
    let sum = 0;
    for (let l = 0; l < k; l++) sum += a[Math.floor(i / n) * k + l]! * b[l * n + (i % n)]!;
    return sum;
  });
  return { c, wanted };
}

describe('a pipeline of three tiles by cp.async', () => {
  test.each([8, 16, 24, 40, 41, 47, 96, 3, 1])('k = %i', async (k) => {
    for (const device of [checked, unchecked]) {
      const { c, wanted } = await multiply(device, right, 2 * TILE, 3 * TILE, k);
      expect(c).toEqual(wanted);
    }
  });
});

const WAIT = 'cp.async.wait_group 1;';
const FIRST_COMMIT = 'cp.async.commit_group;';

/** What is wrong, the wrong kernel, the fault, and the instruction at which it is reported where that is one. */
const MUTANTS: readonly [string, () => string, RegExp, string?][] = [
  ['no wait', () => mutant(WAIT, ''), /copy-in-flight/],
  ['a wait for a tile too few', () => mutant(WAIT, 'cp.async.wait_group 2;'), /copy-in-flight/],
  ['a commit too few', () => mutant(FIRST_COMMIT, ''), /copy-in-flight/],
  ['no barrier after the wait', () => mutant('bar.sync \t0;', ''), /copy-|uninitialised-read/],
  [
    'the barrier before the wait',
    () => mutant(WAIT, '').replace('bar.sync \t0;', `bar.sync 0; ${WAIT}`),
    /copy-/,
  ],
  ['the tile goes where another is being read', () => fixture('pipeline-own-stage'), /copy-in-flight/],
  ['reads past the end of A', () => fixture('pipeline-past-end'), /out-of-bounds/],
  [
    'a copy that nobody waits for',
    () =>
      mutant(
        'ret;',
        'mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2;\ncp.async.ca.shared.global [%r1], [%rd1], 4, 0;\nret;',
      ),
    /copy-never-awaited/,
    'cp.async.ca.shared.global [%r1], [%rd1], 4, 0;',
  ],
];

describe('a wrong pipeline is a fault', () => {
  test.each(MUTANTS)('%s', async (_title, make, kind, at) => {
    const ptx = make();
    const error = await multiply(checked, ptx, TILE, TILE, 44).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof KernelFaultError)) throw new Error('A fault was expected.', { cause: error });
    expect(error.kind, error.message).toMatch(kind);
    expect(error.place.ptxLine).toBeGreaterThan(0);
    if (at !== undefined) expect(error.place.ptxLine).toBe(lineOf(ptx, at));
  });

  test.each(MUTANTS.slice(0, 6))('%s: without checks, wrong results at least', async (_title, make) => {
    const { c, wanted } = await multiply(unchecked, make(), TILE, TILE, 44).catch((error: unknown) => {
      expect(error).toBeInstanceOf(KernelFaultError);
      return { c: undefined, wanted: undefined };
    });
    if (c !== undefined) expect(c).not.toEqual(wanted);
  });
});
