import type { ObjectCode } from '../device/object-code.js';
import { readElfHeader, readSections, viewOf } from './elf.js';

/** Attributes of `.nv.info.<kernel>`: a format byte, an attribute byte, then a value or a size and so many bytes. */
const sized = 4;
const paramInfo = 0x17;

function cubinParams(bytes: DataView, kernel: string): number | undefined {
  const elf = readElfHeader(bytes);
  const info = elf && readSections(bytes, elf).find(({ name }) => name === `.nv.info.${kernel}`);
  if (info === undefined) return undefined;
  let count = 0;
  const end = info.offset + info.byteLength;
  for (let at = info.offset; at + 4 <= end; ) {
    const format = bytes.getUint8(at);
    if (format === 0 || format > sized) return undefined;
    if (bytes.getUint8(at + 1) === paramInfo) count++;
    at += format === sized ? 4 + bytes.getUint16(at + 2, true) : 4;
  }
  return count;
}

function ptxParams(text: string, kernel: string): number | undefined {
  const name = kernel.replaceAll('$', '\\$');
  const entry = new RegExp(`\\.entry\\s+${name}(?![\\w$])\\s*(?:\\(([^)]*)\\))?`).exec(text);
  return entry === null ? undefined : [...(entry[1] ?? '').matchAll(/\.param\b/g)].length;
}

/**
 * How many parameters a kernel has; undefined where the code does not say so in a known way. The driver can be asked
 * too, but tells the end by an error, which tools such as compute-sanitizer report.
 */
export function paramCount(object: ObjectCode, kernel: string): number | undefined {
  return object.format === 'cubin'
    ? cubinParams(viewOf(object.bytes), kernel)
    : ptxParams(object.text, kernel);
}
