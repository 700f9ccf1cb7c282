import type { KernelArg, LaunchConfig } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import { ARENA_BYTES, ARENA_START } from '../layout.js';
import { parsePtx } from '../ptx/parse.js';
import { controlWords } from '../runtime/progress-watch.js';
import { layOut } from '../translate/kernel-memory.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import type { EmulatorKernel } from './emulator-object.js';
import { planLaunch, residentBlocks, stopLaunch, writeLaunch } from './launch-plan.js';
import { profiles } from './profiles.js';

const { limits } = profiles.h200;

describe('residentBlocks', () => {
  test.each([
    // Threads, shared bytes, blocks of a multiprocessor, what limits them.
    [256, 0, 8, 'threads'],
    [1024, 0, 2, 'threads'],
    [32, 0, 32, 'blocks'],
    [33, 0, 32, 'whole warps'],
    [96, 0, 21, 'whole warps'],
    [128, 48 * 1024, 4, 'shared memory'],
    [128, 227 * 1024, 1, 'shared memory'],
  ])('%i threads and %i bytes: %i, by %s', (threads, sharedBytes, each) => {
    expect(residentBlocks(limits, threads, sharedBytes)).toBe(each * 132);
  });
});

function kernelOf(params: string, variables = ''): EmulatorKernel {
  const text = `.version 8.5\n.target sm_80\n.address_size 64\n${variables}\n.visible .entry k(${params}) {\n.shared .align 4 .b8 s[100];\nret;\n}`;
  const module = parsePtx(text);
  const fn = module.functions.get('k')!;
  return {
    name: 'k',
    fn,
    memory: layOut(module, fn),
    variableAddresses: [0x7f00_0000_1234n],
  } as unknown as EmulatorKernel;
}

const translated = (polls: boolean) =>
  ({
    stateBytes: 256,
    polls: polls ? { 1: { line: 1, text: 'ld', live: [] } } : {},
    awaitsBlocks: polls,
    classes: [{}, {}, {}],
    sites: [{}, {}],
  }) as unknown as TranslatedKernel;
const config = (blocks: number, threads = 64): LaunchConfig => ({
  grid: [blocks, 1, 1],
  block: [threads, 1, 1],
});
const off = { checks: true, counters: false, l1Bytes: 0 };

describe('planLaunch', () => {
  const kernel = kernelOf('');

  test('blocks that need nobody else: one for each worker, no more workers than blocks', () => {
    const plan = planLaunch(kernel, translated(false), config(100), 4, off, limits);
    expect(plan.slots.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
    expect(planLaunch(kernel, translated(false), config(3), 4, off, limits).slots).toHaveLength(3);
    expect(plan).toMatchObject({ sharedBytes: 100, localBytes: 0, counts: [], logs: [], smCount: 132 });
  });

  test('blocks that may wait for each other: as many as the device holds', () => {
    const count = (blocks: number, workers: number, threads = 64) =>
      planLaunch(kernel, translated(true), config(blocks, threads), workers, off, limits).slots.map(
        (slot) => slot.count,
      );
    expect(count(264, 1)).toEqual([264]);
    expect(count(265, 2)).toEqual([133, 133]);
    expect(count(10_000, 2, 1024)).toEqual([132, 132]);
  });

  test('nothing overlaps, and all lies in the arena', () => {
    const plan = planLaunch(
      kernel,
      translated(true),
      config(50),
      3,
      { checks: true, counters: true, l1Bytes: 0 },
      limits,
    );
    const spans = [
      [plan.params, kernel.memory.paramBytes],
      [plan.control, 4 * controlWords(3)],
      ...plan.counts.map((at) => [at, 24]),
      ...plan.logs.map((at) => [at, 8 * plan.logQuadBytes]),
      ...plan.slots.map(({ start, count }) => [start, count * plan.slotBytes]),
    ].sort(([x], [y]) => x! - y!) as [number, number][];
    expect(spans).toHaveLength(2 + 3 * 3);
    expect(spans[0]![0]).toBeGreaterThanOrEqual(ARENA_START);
    for (const [i, [start, bytes]] of spans.entries()) {
      expect(start % 64).toBe(0);
      expect(start + bytes).toBeLessThanOrEqual(spans[i + 1]?.[0] ?? ARENA_START + ARENA_BYTES);
    }
  });

  test('more than the arena holds', () => {
    const large = { ...translated(true), stateBytes: 2 ** 20 };
    expect(() => planLaunch(kernel, large, config(1000, 256), 1, off, limits)).toThrow(
      expect.objectContaining({ code: 'FFMA_OUT_OF_MEMORY', message: expect.stringContaining('k') }),
    );
  });
});

test("arguments lie where the kernel reads them, variables' addresses behind them", () => {
  const kernel = kernelOf(
    '.param .u64 p, .param .u32 a, .param .f64 b, .param .f32 c, .param .s64 d, .param .u64 none',
    '.global .align 4 .b8 table[8];',
  );
  const plan = planLaunch(
    kernel,
    translated(false),
    config(1),
    1,
    { checks: true, counters: true, l1Bytes: 0 },
    limits,
  );
  const memory = new ArrayBuffer(plan.slots[0]!.start);
  new Uint8Array(memory).fill(0xaa);
  const buffer = { deviceAddress: 0x7f00_0000_0100n, byteLength: 64 };
  const args = [
    { type: 'pointer', buffer, offset: 16 },
    { type: 'u32', value: 4_000_000_000 },
    { type: 'f64', value: 0.1 },
    { type: 'f32', value: 0.1 },
    { type: 'i64', value: -5n },
    { type: 'pointer', buffer: { deviceAddress: 0n, byteLength: 0 } },
  ] as unknown as KernelArg[];
  writeLaunch(memory, kernel, plan, args, 3);
  const view = new DataView(memory, plan.params);
  expect(view.getBigUint64(0, true)).toBe(0x7f00_0000_0110n);
  expect(view.getUint32(8, true)).toBe(4_000_000_000);
  expect(view.getFloat64(16, true)).toBe(0.1);
  expect(view.getFloat32(24, true)).toBe(Math.fround(0.1));
  expect(view.getBigInt64(32, true)).toBe(-5n);
  expect(view.getBigUint64(40, true)).toBe(0n);
  expect(view.getBigUint64(kernel.memory.module.get('table')!, true)).toBe(0x7f00_0000_1234n);
  expect([...new Int32Array(memory, plan.control, 3)]).toEqual([0, 0, 0]);
  expect([...new Float64Array(memory, plan.counts[0], 3)]).toEqual([0, 0, 0]);
  stopLaunch(memory, plan);
  expect([...new Int32Array(memory, plan.control, 3)]).toEqual([0, 1, 0]);
});
