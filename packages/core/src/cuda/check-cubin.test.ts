import { describe, expect, it } from 'vitest';
import { ObjectCode } from '../device/object-code.js';
import { checkCubin } from './check-cubin.js';

/** An ELF file of 200 bytes whose one section, of `type`, is its last 8 bytes. */
function elf({ machine = 190, type = 1, sectionEnd = 200 } = {}): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(200));
  bytes.setUint32(0, 0x7f454c46);
  bytes.setUint8(4, 2);
  bytes.setUint16(18, machine, true);
  bytes.setBigUint64(40, 128n, true);
  bytes.setUint16(60, 1, true);
  bytes.setUint32(128 + 4, type, true);
  bytes.setBigUint64(128 + 24, 192n, true);
  bytes.setBigUint64(128 + 32, BigInt(sectionEnd - 192), true);
  return new Uint8Array(bytes.buffer);
}
const check = (bytes: Uint8Array) => checkCubin(ObjectCode.fromCubin(bytes, { name: 'x.cubin' }));

describe('checkCubin', () => {
  it('takes a whole cubin, wherever it stands in its buffer', () => {
    check(elf());
    const shifted = new Uint8Array(213);
    shifted.set(elf(), 13);
    check(shifted.subarray(13));
    check(elf({ type: 8, sectionEnd: 5000 }));
  });

  it.each([100, 130, 191, 199])('refuses one that is cut to %d bytes', (length) => {
    expect(() => check(elf().slice(0, length))).toThrow(
      /x\.cubin is cut short: it has \d+ bytes, but names \d+/,
    );
  });

  it('refuses one whose section goes on past its end', () => {
    expect(() => check(elf({ sectionEnd: 201 }))).toThrow(/cut short: it has 200 bytes, but names 201/);
  });

  it.each([
    ['text', new TextEncoder().encode('.version 8.0\n'.repeat(20))],
    ['machine code for a CPU', elf({ machine: 62 })],
    ['a few bytes', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2)],
  ])('refuses %s', (_, bytes) => {
    expect(() => check(bytes)).toThrow(/is no cubin/);
  });
});
