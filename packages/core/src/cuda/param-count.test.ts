import { describe, expect, it } from 'vitest';
import { ObjectCode } from '../device/object-code.js';
import { paramCount } from './param-count.js';

const ptx = ObjectCode.fromPtx(`
.visible .entry add(
	.param .u64 .ptr .global values,
	.param .f32 what
)
{ ret; }
.visible .entry add2(.param .u32 x) { ret; }
.entry none() { ret; }
.entry bare { ret; }
.entry $odd$name(.param .align 64 .b8 map[128], .param .u32 y, .param .u32 z) { ret; }
`);

/** An ELF file with the names of its sections, and `.nv.info.add`. */
function cubin(info: readonly number[], name = '.nv.info.add'): ObjectCode {
  const bytes = new DataView(new ArrayBuffer(600));
  bytes.setUint32(0, 0x7f454c46);
  bytes.setUint8(4, 2);
  bytes.setBigUint64(40, 64n, true);
  bytes.setUint16(60, 2, true);
  const section = (i: number, nameAt: number, at: number, length: number) => {
    bytes.setUint32(64 + i * 64, nameAt, true);
    bytes.setUint32(64 + i * 64 + 4, 1, true);
    bytes.setBigUint64(64 + i * 64 + 24, BigInt(at), true);
    bytes.setBigUint64(64 + i * 64 + 32, BigInt(length), true);
  };
  section(0, 0, 300, 100);
  section(1, 1, 400, info.length);
  const all = new Uint8Array(bytes.buffer);
  all.set(new TextEncoder().encode(name), 301);
  all.set(info, 400);
  return ObjectCode.fromCubin(all);
}

const param = [0x04, 0x17, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x21, 0];
const others = [0x04, 0x37, 4, 0, 0x82, 0, 0, 0, 0x03, 0x50, 0, 0, 0x03, 0x1b, 0xff, 0];

describe('paramCount', () => {
  it.each([
    ['add', 2],
    ['add2', 1],
    ['none', 0],
    ['bare', 0],
    ['$odd$name', 3],
    ['nonesuch', undefined],
  ])('of %s in PTX is %s', (name, count) => {
    expect(paramCount(ptx, name)).toBe(count);
  });

  it('counts the entries of a cubin', () => {
    expect(paramCount(cubin([...others, ...param, ...param, ...others]), 'add')).toBe(2);
    expect(paramCount(cubin(others), 'add')).toBe(0);
  });

  it('does not guess', () => {
    expect(paramCount(cubin([...param, 0x07, 0x17, 0, 0]), 'add')).toBeUndefined();
    expect(paramCount(cubin(param, '.nv.info.other'), 'add')).toBeUndefined();
  });
});
