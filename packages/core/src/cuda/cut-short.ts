import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { viewOf } from './elf.js';

const fileHeader = 64;
const programHeader = 56;
const loaded = 1;

function read(file: number, at: number, byteLength: number): DataView | undefined {
  const bytes = new Uint8Array(byteLength);
  return readSync(file, bytes, 0, byteLength, at) === byteLength ? viewOf(bytes) : undefined;
}

/** Where the file must not end before; 0 for what is no 64-bit ELF file. */
function endOfParts(file: number): number {
  const header = read(file, 0, fileHeader);
  if (header === undefined || header.getUint32(0) !== 0x7f454c46 || header.getUint8(4) !== 2) return 0;
  const at = Number(header.getBigUint64(32, true));
  const count = header.getUint16(56, true);
  const tableEnd = at + count * programHeader;
  const table = header.getUint16(54, true) === programHeader ? read(file, at, tableEnd - at) : undefined;
  if (table === undefined) return tableEnd;
  const ends = Array.from({ length: count }, (_, i) => i * programHeader)
    .filter((entry) => table.getUint32(entry, true) === loaded)
    .map((entry) => Number(table.getBigUint64(entry + 8, true) + table.getBigUint64(entry + 32, true)));
  return Math.max(tableEnd, ...ends);
}

/**
 * Why a native addon is cut short, as the end of a sentence; undefined where it is whole or no ELF file. The loader
 * maps what the headers promise without a look at the file's end, and the process dies when it touches what is missing.
 */
export function cutShort(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const end = endOfParts(file);
    return end <= size ? undefined : `file is cut short: it has ${size} bytes of at least ${end}`;
  } finally {
    closeSync(file);
  }
}
