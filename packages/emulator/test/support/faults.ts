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
