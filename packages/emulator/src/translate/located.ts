import { CompileError, FfmaError } from '@ffma/core';
import type { Instruction, PtxFunction } from '../ptx/ast.js';
import { placeSuffix } from '../ptx/kernel-place.js';

const reason = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');

/** Translates one instruction. @throws CompileError with its line and text, where the emulator cannot */
export function located<T>(
  model: { readonly fn: PtxFunction },
  instruction: Instruction,
  translate: () => T,
): T {
  try {
    return translate();
  } catch (cause) {
    if (cause instanceof FfmaError) throw cause;
    const { line, text, source } = instruction;
    throw new CompileError(
      `Kernel ${model.fn.name}, PTX line ${line}${placeSuffix(source)}: the emulator cannot translate '${text}': ${reason(cause)}.`,
      { details: { kernel: model.fn.name, line, text }, cause },
    );
  }
}

/** What V8 says of a function that is too long for it. */
const tooLong = /size (\d+) > maximum function size (\d+)/;

/** The same for a whole kernel, where no single instruction is to blame. */
export function untranslatable(kernel: string, cause: unknown): FfmaError {
  if (cause instanceof FfmaError) return cause;
  const sizes = tooLong.exec(reason(cause));
  if (sizes !== null) {
    const [bytes, limit] = sizes.slice(1).map((size) => Number(size)) as [number, number];
    const megabytes = (size: number) => (size / 1e6).toFixed(2);
    return new CompileError(
      `The kernel ${kernel} is too long for the emulator: its translation to WebAssembly takes ${megabytes(bytes)} MB, and ` +
        `a function may have ${megabytes(limit)} MB.`,
      {
        details: { kernel, bytes, limit },
        remedy:
          'Unroll less (#pragma unroll 1), or keep arrays out of local memory: count through them with constants only.',
        cause,
      },
    );
  }
  return new CompileError(`The emulator cannot translate the kernel ${kernel}: ${reason(cause)}.`, {
    details: { kernel },
    remedy: 'Check that the types of its registers and instructions agree, as ptxas does.',
    cause,
  });
}
