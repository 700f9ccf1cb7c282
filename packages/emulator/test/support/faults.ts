import { KernelFaultError } from '@ffma/core';
import type { EmulatorDevice } from '@ffma/emulator';
import { expect } from 'vitest';
import { lineOf, type PtxLaunch, runPtx } from './run-ptx.js';

/** What a fault must say. */
export interface ExpectedFault {
  readonly kind: string;
  /** Text of the PTX at whose line it happened. */
  readonly at?: string;
  readonly block?: readonly [number, number, number];
  readonly thread?: readonly [number, number, number];
  /** Parts of the message. */
  readonly says?: readonly string[];
}

const triple = (t: readonly number[]) => `(${t.join(', ')})`;

/** Runs a kernel that must break a rule, and checks that the error names the rule, kernel, block, thread and line. */
export async function expectFault(
  device: EmulatorDevice,
  ptx: string,
  launch: PtxLaunch,
  expected: ExpectedFault,
): Promise<KernelFaultError> {
  const error = await runPtx(device, ptx, launch).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof KernelFaultError)) {
    throw new Error(`A fault ${expected.kind} was expected.`, { cause: error });
  }
  const { block = [0, 0, 0], thread, at, says = [] } = expected;
  expect(error.code).toBe('FFMA_KERNEL_FAULT');
  expect(error.kind, error.message).toBe(expected.kind);
  expect(error.place, error.message).toMatchObject({
    kernel: launch.kernel ?? 'k',
    block,
    ...(thread === undefined ? {} : { thread }),
    ...(at === undefined ? {} : { ptxLine: lineOf(ptx, at), instruction: at.replace(/;$/, '') }),
  });
  const parts = [`kernel ${launch.kernel ?? 'k'}`, `block ${triple(block)}`, ...says];
  if (thread !== undefined) parts.push(`thread ${triple(thread)}`);
  if (at !== undefined) parts.push(`PTX line ${lineOf(ptx, at)}`);
  for (const part of parts) expect(error.message).toContain(part);
  return error;
}

/** `%rd3` = p + (first + thread · step), thread numbered through the grid. */
export const address = (step: number, first = 0) => `
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;
mul.wide.s32 %rd2, %r4, ${step}; add.s64 %rd3, %rd1, %rd2; add.s64 %rd3, %rd3, ${first};
`;
/** The same through a table of words, so that nothing is known of the lanes' addresses. */
export const scattered = (step: number, first = 0) => `
ld.param.u64 %rd1, [p]; ld.param.u64 %rd4, [table];
mov.u32 %r1, %tid.x; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd4, %rd5; ld.global.u32 %r4, [%rd5];
mul.wide.s32 %rd2, %r4, ${step}; add.s64 %rd3, %rd1, %rd2; add.s64 %rd3, %rd3, ${first};
`;
/** The table for {@link scattered}: the thread numbers. */
export const table = Uint32Array.from({ length: 64 }, (_, i) => i);
