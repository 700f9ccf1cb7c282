import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Disassembler,
  decodeSass,
  disassemble,
  discoverKernels,
  findDisassembler,
  parseSass,
  type SassInstruction,
} from '@ffma/bench';
import { artefactFolder } from '@ffma/core';
import { describe, expect, test } from 'vitest';

// What is read of machine code without a disassembler must be what nvdisasm reads. It is a test of the GPU host, because
// that has the cubins and the toolkit; the GPU itself is not used.

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { kernels } = await discoverKernels(root);
const tool = findDisassembler({ env: process.env });

const cubins = [...new Map(kernels.map(({ package: own }) => [own.name, own])).values()].flatMap((own) =>
  (own.manifest?.artefacts ?? [])
    .filter(({ format, arch }) => format === 'cubin' && arch === 'sm_90')
    .map(({ id, file }) => ({ id, path: join(artefactFolder(own.folder), file) })),
);

/** An operand without its sign, and constants, numbers and uniform registers by their kind alone. */
const kindOf = (operand: string) =>
  operand
    .replaceAll(/^[-|~]+|\|$/g, '')
    .replace(/^c\[.*$/, 'c[]')
    .replace(/^UR\w+$/, 'UR')
    .replace(/^[+]?(?:\d|INF|QNAN).*$/, 'imm');

const MEMORY = /^(?:LD|ST)[SLG]$/;

/** What the facts are made of, of one instruction; undefined where it is no part of them. */
function essence({ address, mnemonic, opcode, operands, predicate, target }: SassInstruction) {
  if (mnemonic === 'FFMA') return { address, mnemonic, predicate, operands: operands.map(kindOf) };
  if (mnemonic === 'BRA') return { address, mnemonic, predicate, target };
  if (MEMORY.test(mnemonic)) {
    const width = /\.(?:64|128)\b/.exec(opcode)?.[0] ?? '';
    const value = operands[mnemonic.startsWith('LD') ? 0 : operands.length - 1];
    return { address, mnemonic, predicate, width, value };
  }
  return ['BAR', 'LDGSTS', 'EXIT'].includes(mnemonic) ? { address, mnemonic, predicate } : undefined;
}

describe('machine code that is read without a disassembler', () => {
  test.for(cubins)('of $id is what the disassembler says', async ({ path }, { skip }) => {
    if (tool === undefined) skip('there is no nvdisasm or cuobjdump here');
    const cubin = new Uint8Array(readFileSync(path));
    const said = parseSass(await disassemble(tool as Disassembler, cubin, process.env));
    const read = new Map(decodeSass(cubin).map(({ name, instructions }) => [name, instructions]));
    expect([...read.keys()].sort()).toEqual(said.map(({ name }) => name).sort());
    for (const { name, instructions } of said) {
      const essential = (all: readonly SassInstruction[]) => all.flatMap((one) => essence(one) ?? []);
      expect(essential(read.get(name) ?? [])).toEqual(essential(instructions));
    }
  });

  test('is of cubins that are there', ({ skip }) => {
    if (cubins.length === 0) skip('no cubin was built here; a bundle has them');
    expect(cubins.length).toBeGreaterThan(0);
  });
});
