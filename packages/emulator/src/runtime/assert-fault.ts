import { GLOBAL_BASE, HEAP_START } from '../layout.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import type { FaultHandler } from './fault-handler.js';
import { KernelFault } from './fault-record.js';

const MOST_CHARACTERS = 1000;

/** A text in device memory, up to its 0. */
function textAt(memory: Uint8Array, address: bigint): string {
  const start = Number(address - GLOBAL_BASE) + HEAP_START;
  if (!(start >= HEAP_START && start < memory.length)) return '?';
  const end = memory.subarray(start, start + MOST_CHARACTERS).indexOf(0);
  return Buffer.from(memory.slice(start, start + (end === -1 ? MOST_CHARACTERS : end))).toString();
}

/** The import that translated code calls where an assertion fails; throws. */
export function assertImport(buffer: ArrayBufferLike, faults: FaultHandler, kernel: TranslatedKernel) {
  return (
    ptxLine: number,
    text: bigint,
    file: bigint,
    line: number,
    name: bigint,
    lane: number,
    state: number,
    ctx: number,
  ): never => {
    const memory = new Uint8Array(buffer);
    const at = Object.values(kernel.traps).find((trap) => trap.line === ptxLine);
    throw new KernelFault({
      kind: 'trap',
      block: faults.blockOf(ctx),
      thread: faults.threadOf(state, lane),
      ...(at === undefined ? {} : { at }),
      note: `assertion '${textAt(memory, text)}' failed, ${textAt(memory, file)}:${line}, in ${textAt(memory, name)}`,
    });
  };
}
