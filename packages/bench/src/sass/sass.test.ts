import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkSass } from './check.js';
import { distancesToUse } from './distances.js';
import { sassFacts } from './facts.js';
import { mainLoop } from './loop.js';
import { heldAfter, nothingHeld, readsOf } from './operands.js';
import { functionNamed, parseSass } from './parse.js';

// Written by hand in the form that cuobjdump prints for sm_90.
const text = readFileSync(new URL('./fixtures/cuobjdump.sass', import.meta.url), 'utf8');
const facts = sassFacts(functionNamed(parseSass(text), 'k99_cutlass'));

/** Instructions from lines of code, 16 bytes each. */
function code(...lines: readonly string[]) {
  const numbered = lines.map((line, i) => `/*${(16 * i).toString(16).padStart(4, '0')}*/ ${line} ;`);
  return parseSass(numbered.join('\n'))[0]!.instructions;
}
const reads = (before: string, ffma: string) => {
  const [first, second] = code(before, ffma);
  return readsOf(second!, heldAfter(first!, nothingHeld));
};

test('functions, predicates, operands in brackets and targets are read', () => {
  const functions = parseSass(text);
  expect(functions.map(({ name, instructions }) => [name, instructions.length])).toEqual([
    ['prepare', 2],
    ['k99_cutlass', 20],
  ]);
  const [, , branch, copy] = functions[1]!.instructions;
  expect(branch).toMatchObject({ address: 0x20, predicate: '!P1', mnemonic: 'BRA', target: 0x1a0 });
  expect(copy).toMatchObject({
    opcode: 'LDGSTS.E.BYPASS.128',
    operands: ['[R40+0x400]', 'desc[UR4][R42.64]', 'P0'],
    predicate: undefined,
  });
  expect(() => functionNamed(functions, 'k98')).toThrow(/no function k98; it has prepare, k99_cutlass/);
});

test('labels of nvdisasm lead where they stand', () => {
  const printed = `
	.section	.text.k01,"ax",@progbits
.text.k01:
        /*0000*/                   MOV R1, R2 ;
.L_x_1:
        /*0010*/                   FFMA R0, R2, R3, R0 ;
        /*0020*/              @P0  BRA \`(.L_x_1) ;
.L_x_2:
        /*0030*/                   BRA \`(.L_x_2) ;
`;
  const [only, ...others] = parseSass(printed);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ name: 'k01' });
  expect(only!.instructions.map(({ target }) => target)).toEqual([undefined, undefined, 0x10, 0x30]);
  expect(mainLoop(only!)?.map(({ address }) => address)).toEqual([0x10, 0x20]);
});

test('what is no disassembly is refused', () => {
  expect(() => parseSass('nvdisasm fatal: unknown file')).toThrow(/no instruction in it/);
  expect(() => parseSass('/*0000*/ ??? ;')).toThrow(/Line 1 is no instruction that is understood: '\?\?\?'/);
});

test('the main loop is the innermost one with FFMAs, and what is in it is counted', () => {
  // The branch at 0x110 leads back over it, too.
  expect(facts).toMatchObject({ symbol: 'k99_cutlass', instructions: 20, ffma: 6, local: 1 });
  expect(facts.loop).toMatchObject({ start: 0x30, end: 0xe0, instructions: 12, ffma: 6, ffmaShare: 0.5 });
  expect(facts.loop?.overheadPerFfma).toBe(1);
  expect(facts.loop?.opcodes).toMatchObject({ FFMA: 6, LDS: 2, LDGSTS: 1, BAR: 1, IADD3: 1, BRA: 1 });
});

test('operands of the FFMAs: in place, fresh, of one bank, reused', () => {
  // R16 = R4·R9+R16 reads three; the next two have R4 from before; R20 = R6·R12+R24 reads three even registers;
  // R21 reads a constant and two of one bank; the last has R5 twice, held once.
  expect(facts.loop).toMatchObject({
    inPlace: 4,
    fresh: [0, 1, 3, 2],
    sameBank: 1,
    bankConflicts: 1,
    reuseFlags: 3,
    ldsToUse: { least: 1, median: 1 },
  });
});

describe('fresh registers', () => {
  test('are those that the instruction before does not hold at the same place', () => {
    expect(reads('FFMA R1, R4.reuse, R5, R1', 'FFMA R2, R4, R6, R2').fresh).toEqual([6, 2]);
    expect(reads('FFMA R1, R4, R5, R1', 'FFMA R2, R4, R6, R2').fresh).toEqual([4, 6, 2]);
    expect(reads('FFMA R1, R5, R4.reuse, R1', 'FFMA R2, R4, R6, R2').fresh).toEqual([4, 6, 2]);
  });
  test('count once, without RZ, constants and uniform registers', () => {
    expect(reads('NOP', 'FFMA R2, R4, R4, R2').fresh).toEqual([4, 2]);
    expect(reads('NOP', 'FFMA R2, -R4, UR4, RZ').fresh).toEqual([4]);
    expect(reads('NOP', 'FFMA R2, |R4|, 0.5, R2').fresh).toEqual([4, 2]);
  });
});

test('an LDS is used after the instructions between, around the end of the loop where need be', () => {
  const loop = code(
    'FFMA R1, R11, R5, R1',
    'LDS.128 R8, [R30]',
    'NOP',
    'STS [R3], R9',
    'LDS R20, [R31]',
    'NOP',
  );
  // R9 is stored two later; R11 would be read later still; nothing reads R20.
  expect(distancesToUse(loop)).toEqual([2]);
  expect(distancesToUse(code('FFMA R1, R11, R5, R1', 'LDS.64 R10, [R30]', 'NOP'))).toEqual([2]);
});

test('the check names each limit that is broken, and takes what is unknown for broken', () => {
  const kept = {
    ffmaShare: 0.5,
    overheadPerFfma: 1,
    inPlaceShare: 0.6,
    slowReadsShare: 0.5,
    bankConflicts: 1,
    local: 1,
  };
  expect(checkSass(facts, { ...kept, ldsToUse: 1 })).toEqual([]);
  const broken = checkSass(facts, {
    ffmaShare: 0.51,
    overheadPerFfma: 0.9,
    inPlaceShare: 0.7,
    slowReadsShare: 0.4,
    bankConflicts: 0,
    ldsToUse: 2,
  });
  expect(broken).toHaveLength(7);
  expect(broken[0]).toBe(
    'k99_cutlass: the share of FFMAs in the main loop is 50.0 %, but at least 51.0 % is asked for.',
  );
  expect(broken.at(-1)).toMatch(/accesses to local memory is 1, but at most 0 is allowed/);
  const unrolled = { ...facts, loop: undefined, local: 0 };
  expect(checkSass(unrolled, { ffmaShare: 0.1, bankConflicts: 9 })).toHaveLength(2);
  expect(checkSass({ ...facts, local: Number.NaN }, {})).toHaveLength(1);
});
