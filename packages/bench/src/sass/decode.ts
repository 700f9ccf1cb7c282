import { UnsupportedError } from '@ffma/core';
import type { SassFunction, SassInstruction } from './instruction.js';

/**
 * Reads the machine code of a cubin for sm_90 without a disassembler, as far as its facts need: FFMAs with their
 * registers, accesses to shared, local and global memory, barriers and branches. NVIDIA publishes no encoding; this is
 * what ptxas 13.0 was seen to write, compared on a machine that has nvdisasm (test/gpu/sass.test.ts). An instruction
 * that is not known is named by its number, `OP.c82`, and has no operands.
 */

/** Bytes of an instruction. */
const SIZE = 16;
/** In place of a register: zero. */
const RZ = 255;

/** Whole operation fields (bits 0 to 11) of what has no arithmetic operands. */
const others: Readonly<Record<number, string>> = {
  903: 'STL',
  904: 'STS',
  2328: 'NOP',
  2329: 'S2R',
  2330: 'DEPBAR',
  2369: 'BSYNC',
  2373: 'BSSY',
  2375: 'BRA',
  2376: 'WARPSYNC',
  2381: 'EXIT',
  2433: 'LDG',
  2435: 'LDL',
  2436: 'LDS',
  2438: 'STG',
  2446: 'RED',
  2479: 'LDGDEPBAR',
  2745: 'ULDC',
  2845: 'BAR',
  2946: 'LDC',
  4014: 'LDGSTS',
};

/** Bits 0 to 8 of arithmetic; bits 9 to 11 say where its operands are. */
const arithmetic: Readonly<Record<number, string>> = {
  2: 'MOV',
  12: 'ISETP',
  16: 'IADD3',
  17: 'LEA',
  18: 'LOP3',
  25: 'SHF',
  32: 'FMUL',
  33: 'FADD',
  35: 'FFMA',
  36: 'IMAD',
  37: 'IMAD',
};

/** Where an FFMA has B and C: in registers (`b`: bits 32 to 39, `c`: bits 64 to 71), or not. */
const forms: readonly (readonly [b: 'b' | 'c' | string, c: 'b' | 'c' | string] | undefined)[] = [
  undefined,
  ['b', 'c'],
  ['c', 'imm'],
  ['c', 'c[]'],
  ['imm', 'c'],
  ['c[]', 'c'],
  ['UR', 'c'],
  ['c', 'UR'],
];

class Word {
  readonly #view: DataView;
  readonly #at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** Bits `from` to `from + count - 1`, at most 32 of them, none across a multiple of 32. */
  bits(from: number, count: number): number {
    const word = this.#view.getUint32(this.#at + 4 * (from >> 5), true);
    return Math.floor(word / 2 ** (from % 32)) % 2 ** count;
  }
}

const registerName = (number: number, reused = false) =>
  number === RZ ? 'RZ' : `R${number}${reused ? '.reuse' : ''}`;

function ffmaOperands(word: Word): string[] {
  const form = forms[word.bits(9, 3)] ?? ['b', 'c'];
  const reuse = word.bits(122, 3);
  const place = { b: [32, 2], c: [64, 4] } as const;
  const sources = form.map((where) => {
    if (where !== 'b' && where !== 'c') return where;
    const [bit, flag] = place[where];
    return registerName(word.bits(bit, 8), (reuse & flag) !== 0);
  });
  const first = registerName(word.bits(24, 8), (reuse & 1) !== 0);
  return [registerName(word.bits(16, 8)), first, ...sources];
}

/** Bytes from the end of a branch to where it leads: 56 bits in units of four bytes, the lowest eight at bit 16. */
function branchOffset(word: Word): number {
  const high = word.bits(64, 18);
  const signed = high >= 2 ** 17 ? high - 2 ** 18 : high;
  return 4 * ((signed * 2 ** 30 + word.bits(34, 30)) * 256 + word.bits(16, 8));
}

const widths: Readonly<Record<number, string>> = { 5: '.64', 6: '.128' };

/** What an instruction without arithmetic does, with the operands by which loads and branches are followed. */
function otherOf(
  operation: number,
  word: Word,
  address: number,
): Pick<SassInstruction, 'opcode' | 'operands' | 'target'> {
  const name = others[operation];
  const plain = {
    opcode: name ?? `OP.${operation.toString(16).padStart(3, '0')}`,
    operands: [],
    target: undefined,
  };
  if (name === 'BRA') {
    const target = address + SIZE + branchOffset(word);
    return { ...plain, operands: [`0x${target.toString(16)}`], target };
  }
  if (name === undefined || !/^(?:LD|ST)[SLG]$/.test(name)) return plain;
  const value = registerName(word.bits(name.startsWith('LD') ? 16 : 32, 8));
  const memory = `[${registerName(word.bits(24, 8))}]`;
  return {
    ...plain,
    opcode: `${name}${widths[word.bits(73, 3)] ?? ''}`,
    operands: name.startsWith('LD') ? [value, memory] : [memory, value],
  };
}

function instructionAt(view: DataView, address: number): SassInstruction {
  const word = new Word(view, address);
  const operation = word.bits(0, 12);
  const predicate = word.bits(12, 3);
  const negated = word.bits(15, 1) === 1;
  const name = arithmetic[operation % 512];
  const found =
    name === undefined || operation < 512
      ? otherOf(operation, word, address)
      : { opcode: name, operands: name === 'FFMA' ? ffmaOperands(word) : [], target: undefined };
  return {
    address,
    predicate: predicate === 7 ? (negated ? '!PT' : undefined) : `${negated ? '!' : ''}P${predicate}`,
    mnemonic: found.opcode.split('.')[0] as string,
    ...found,
  };
}

interface Section {
  readonly name: string;
  readonly bytes: DataView;
}

function* sectionsOf(cubin: Uint8Array): Generator<Section> {
  const view = new DataView(cubin.buffer, cubin.byteOffset, cubin.byteLength);
  const place = (at: number) => Number(view.getBigUint64(at, true));
  const table = place(0x28);
  const [count, names] = [view.getUint16(0x3c, true), view.getUint16(0x3e, true)];
  const header = (index: number) => table + 64 * index;
  const text = place(header(names) + 0x18);
  for (let index = 0; index < count; index++) {
    const start = text + view.getUint32(header(index), true);
    const end = cubin.indexOf(0, start);
    const [from, length] = [place(header(index) + 0x18), place(header(index) + 0x20)];
    const name = Buffer.from(cubin.subarray(start, end)).toString('latin1');
    // Sections without bytes of their own may state any length.
    if (!name.startsWith('.text.')) continue;
    yield { name, bytes: new DataView(cubin.buffer, cubin.byteOffset + from, length) };
  }
}

/** E.g. 90; since version 8 of the format it stands one byte higher. */
function archOf(cubin: Uint8Array): number | undefined {
  const magic = [0x7f, 0x45, 0x4c, 0x46, 2, 1];
  if (cubin.length < 64 || magic.some((byte, i) => cubin[i] !== byte)) return undefined;
  return cubin[(cubin[8] as number) >= 8 ? 0x31 : 0x30];
}

/** @throws UnsupportedError where it is no cubin for sm_90, or is cut off */
export function decodeSass(cubin: Uint8Array): SassFunction[] {
  const arch = archOf(cubin);
  const remedy = 'Install nvdisasm or cuobjdump of the CUDA toolkit, which read every kind.';
  if (arch === undefined) throw new UnsupportedError('These bytes are no cubin.', { remedy });
  if (arch !== 90) {
    throw new UnsupportedError(`Machine code is read here for sm_90 alone, but this is for sm_${arch}.`, {
      remedy,
    });
  }
  try {
    return [...sectionsOf(cubin)].map(({ name, bytes }) => ({
      name: name.slice('.text.'.length),
      instructions: Array.from({ length: Math.floor(bytes.byteLength / SIZE) }, (_, i) =>
        instructionAt(bytes, i * SIZE),
      ),
    }));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new UnsupportedError('The cubin is cut off, or its tables lead out of it.', { remedy, cause });
  }
}
