import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeSass } from './decode.js';
import { sassFacts } from './facts.js';
import { functionNamed } from './parse.js';

// Made by nvcc from decode.cu, which stands beside it.
const cubin = new Uint8Array(readFileSync(new URL('./fixtures/decode.cubin', import.meta.url)));
const code = functionNamed(decodeSass(cubin), 'multiply');

const changed = (at: number, ...bytes: readonly number[]) => {
  const copy = cubin.slice();
  copy.set(bytes, at);
  return copy;
};

describe('machine code without a disassembler', () => {
  test('has the accesses of the source, four floats wide, in their order', () => {
    const memory = code.instructions.filter(({ mnemonic }) => /^(?:LD|ST)[SG]$|^BAR$/.test(mnemonic));
    expect(memory.map(({ opcode }) => opcode)).toEqual(['LDG.128', 'STS.128', 'BAR', 'LDS.128', 'STG.128']);
    const [read, kept] = memory.map(({ operands }) => operands);
    expect(kept?.[1]).toBe(read?.[0]);
  });

  test('has the FFMAs of the source, whose operands are parts of what was loaded', () => {
    const ffmas = code.instructions.filter(({ mnemonic }) => mnemonic === 'FFMA');
    const lds = code.instructions.find(({ mnemonic }) => mnemonic === 'LDS');
    const first = Number(lds?.operands[0]?.slice(1));
    // x, y, z, w of b by their registers, whichever of the two factors comes first.
    const factors = ffmas.map(({ operands }) =>
      operands
        .slice(1, 3)
        .map((name) => 'xyzw'[Number(/^R(\d+)/.exec(name)?.[1]) - first])
        .sort()
        .join(''),
    );
    expect(factors.sort()).toEqual(['xw', 'xy', 'xz', 'yw'].map((pair) => [...pair].sort().join('')).sort());
    for (const { operands } of ffmas) expect(operands[0]).toBe(operands[3]);
  });

  test('has the loop of the source', () => {
    const { loop, local } = sassFacts(code);
    expect(loop).toMatchObject({ ffma: 4, inPlace: 4, opcodes: { LDS: 1, BRA: 1 } });
    expect(local).toBe(0);
  });

  test('ends by a branch to itself, and no branch leads out of it', () => {
    const branches = code.instructions.filter(({ mnemonic }) => mnemonic === 'BRA');
    const last = branches.at(-1);
    expect(last?.target).toBe(last?.address);
    for (const { target } of branches)
      expect(code.instructions.some(({ address }) => address === target)).toBe(true);
  });
});

describe('what is no machine code for sm_90', () => {
  test.each([
    ['no bytes', new Uint8Array(0), /no cubin/],
    ['text', new TextEncoder().encode('.version 9.0'.repeat(20)), /no cubin/],
    ['another architecture', changed(0x31, 80), /for sm_90 alone, but this is for sm_80/],
    ['a file that is cut off', cubin.slice(0, 600), /cut off, or its tables lead out of it/],
    ['tables that lead out of it', changed(0x28, 0xff, 0xff, 0xff, 0x7f), /cut off/],
  ])('is refused: %s', (_, bytes, message) => {
    expect(() => decodeSass(bytes)).toThrow(message);
  });

  test('of an older version of the format has its architecture in another byte', () => {
    const old = changed(8, 7);
    expect(() => decodeSass(old)).toThrow(/for sm_4/);
    old.set([90], 0x30);
    expect(decodeSass(old)).toHaveLength(1);
  });
});
