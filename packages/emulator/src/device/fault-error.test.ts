import { errorFromJson, KernelFaultError } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import { GLOBAL_BASE } from '../layout.js';
import type { FaultRecord } from '../runtime/fault-record.js';
import { faultError, firstFault } from './fault-error.js';

const context = {
  kernel: 'saxpy',
  buffers: [{ start: 512, byteLength: 100, name: 'argument 1' }],
  sharedBytes: 64,
  localBytes: 16,
};
const site = {
  line: 31,
  text: 'st.global.f32 [%rd4], %f1',
  space: 'global',
  kind: 'store',
  bytes: 4,
} as const;
const base = { block: [1, 2, 0], thread: [7, 0, 3], site, address: GLOBAL_BASE + 612n } as const;

describe('faultError', () => {
  test('names kernel, block, thread, line, instruction and where the address is', () => {
    const error = faultError({ kind: 'out-of-bounds', ...base }, context);
    expect(error).toBeInstanceOf(KernelFaultError);
    expect(error.message).toMatch(/^Out-of-bounds store of 4 bytes at .*argument 1 \(100 bytes\)/);
    expect(error.message).toContain(
      'kernel saxpy, block (1, 2, 0), thread (7, 0, 3), PTX line 31 (st.global.f32 [%rd4], %f1)',
    );
    expect(error.place).toMatchObject({
      kernel: 'saxpy',
      block: [1, 2, 0],
      thread: [7, 0, 3],
      ptxLine: 31,
      instruction: site.text,
    });
    expect(error.place.address).toContain('0x7f0000000264');
  });

  test('names the source line of the kernel itself', () => {
    const source = {
      file: 'ffma/fma.cuh',
      line: 9,
      inlinedAt: { file: 'kernel.cu', line: 40, inlinedAt: { file: 'entry.cu', line: 3 } },
    };
    const error = faultError({ kind: 'out-of-bounds', ...base, site: { ...site, source } }, context);
    expect(error.place.source).toEqual({ file: 'kernel.cu', line: 40 });
    expect(error.message).toContain('kernel.cu:40');
  });

  test.each([
    ['shared', 'byte 612 of the 64 bytes of shared memory'],
    ['local', 'byte 612 of the 16 bytes of local memory'],
  ] as const)('counts %s memory from its start', (space, text) => {
    const error = faultError(
      { kind: 'out-of-bounds', ...base, address: 612n, site: { ...site, space } },
      context,
    );
    expect(error.message).toContain(text);
  });

  test.each([
    ['misaligned', 'need an address that is a multiple of 4'],
    ['uninitialised-read', 'that nothing has written'],
  ] as const)('%s', (kind, text) => {
    const error = faultError({ kind, ...base }, context);
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(text);
  });

  test('faults that are no accesses', () => {
    const at = { line: 12, text: 'bar.sync 0' };
    const barrier = faultError(
      { kind: 'barrier-divergence', block: [0, 0, 0], thread: [1, 0, 0], at, note: 'half wait' },
      context,
    );
    expect(barrier.message).toBe(
      'Barrier in divergent code: half wait; kernel saxpy, block (0, 0, 0), thread (1, 0, 0), PTX line 12 (bar.sync 0).',
    );
    expect(barrier.place).not.toHaveProperty('address');
    const trap = faultError({ kind: 'trap', block: [0, 0, 0], thread: undefined }, context);
    expect(trap.message).toBe('The kernel trapped; kernel saxpy, block (0, 0, 0).');
    expect(trap.place).not.toHaveProperty('thread');
  });

  test('is the same on the other side of a message', () => {
    const error = faultError({ kind: 'misaligned', ...base }, context);
    const back = errorFromJson(JSON.parse(JSON.stringify(error)));
    expect(back).toBeInstanceOf(KernelFaultError);
    expect(back).toMatchObject({ message: error.message, kind: 'misaligned', place: error.place });
  });
});

test("of several workers' faults the first block's counts", () => {
  const fault = (block: [number, number, number]): { fault: FaultRecord } => ({
    fault: { kind: 'trap', block, thread: undefined },
  });
  const grid = { grid: [4, 3, 2] } as const;
  const replies = [fault([3, 0, 1]), { fault: undefined }, fault([1, 2, 0]), fault([3, 1, 0])];
  expect(firstFault(replies, grid)?.block).toEqual([3, 1, 0]);
  expect(firstFault([{ fault: undefined }], grid)).toBeUndefined();
});
