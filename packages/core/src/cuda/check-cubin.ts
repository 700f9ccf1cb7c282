import type { ObjectCode } from '../device/object-code.js';
import { UnsupportedError } from '../errors.js';

const header = 64;
const sectionHeader = 64;
/** Section that takes no room in the file. */
const noBits = 8;
/** e_machine of NVIDIA's GPUs. */
const cudaMachine = 190;

/** Where the last byte that an ELF file's tables and sections name ends; undefined where it is no cubin. */
function namedEnd(bytes: DataView): number | undefined {
  const isElf64 = bytes.byteLength >= header && bytes.getUint32(0) === 0x7f454c46 && bytes.getUint8(4) === 2;
  if (!isElf64 || bytes.getUint16(18, true) !== cudaMachine) return undefined;
  const offset = (at: number) => Number(bytes.getBigUint64(at, true));
  const programs = offset(32) + bytes.getUint16(54, true) * bytes.getUint16(56, true);
  const count = bytes.getUint16(60, true);
  const sections = offset(40);
  let end = Math.max(programs, sections + count * sectionHeader);
  if (end > bytes.byteLength) return end;
  for (let at = sections; at < sections + count * sectionHeader; at += sectionHeader) {
    if (bytes.getUint32(at + 4, true) !== noBits) end = Math.max(end, offset(at + 24) + offset(at + 32));
  }
  return end;
}

/**
 * The driver is not told how long an image is: one that is cut short would take the process down.
 * @throws UnsupportedError where the bytes are no whole cubin
 */
export function checkCubin({ bytes, name }: ObjectCode): void {
  const end = namedEnd(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
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
