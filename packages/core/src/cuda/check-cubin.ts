import type { ObjectCode } from '../device/object-code.js';
import { UnsupportedError } from '../errors.js';
import { readElfHeader, readSections, viewOf } from './elf.js';

/** e_machine of NVIDIA's GPUs. */
const cudaMachine = 190;

/** Where the last byte that a cubin's tables and sections name ends; undefined where it is no cubin. */
function namedEnd(bytes: DataView): number | undefined {
  const elf = readElfHeader(bytes);
  if (elf?.machine !== cudaMachine) return undefined;
  if (elf.tableEnd > bytes.byteLength) return elf.tableEnd;
  const ends = readSections(bytes, elf).map(({ offset, byteLength }) =>
    byteLength > 0 ? offset + byteLength : 0,
  );
  return Math.max(elf.tableEnd, ...ends);
}

/**
 * The driver is not told how long an image is: one that is cut short would take the process down.
 * @throws UnsupportedError where the bytes are no whole cubin
 */
export function checkCubin({ bytes, name }: ObjectCode): void {
  const end = namedEnd(viewOf(bytes));
  if (end === undefined) {
    throw new UnsupportedError(
      `${name} is no cubin: it does not begin as machine code for NVIDIA's GPUs does.`,
      {
        remedy: 'Load PTX with ObjectCode.fromPtx.',
      },
    );
  }
  if (end <= bytes.byteLength) return;
  throw new UnsupportedError(`${name} is cut short: it has ${bytes.byteLength} bytes, but names ${end}.`, {
    remedy: 'Build or install it again.',
  });
}
