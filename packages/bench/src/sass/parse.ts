import { UnsupportedError } from '@ffma/core';
import type { SassFunction, SassInstruction } from './instruction.js';

/** `Function : name` of cuobjdump; `.text.name:` or the section of nvdisasm. */
const HEADER = /^\s*(?:Function : (\S+)|\.text\.([^\s:,]+):?\s*$|\.section\s+\.text\.([^\s,]+))/;
const LABEL = /^\s*(\.L[\w.]*):/;
const LINE = /^\s*\/\*([0-9a-f]{4,})\*\/\s+(.*?)\s*;/i;
const BODY = /^(?:@(!?U?P(?:\d+|T))\s+)?([A-Z][\w.]*)\s*(.*)$/;
const BRANCH = new Set(['BRA', 'JMP', 'JMXU', 'BRXU']);

interface Draft extends Omit<SassInstruction, 'target'> {
  readonly label: string | undefined;
  readonly absolute: number | undefined;
}

/** Operands are separated by commas outside of brackets. */
function operandsOf(text: string): string[] {
  const operands: string[] = [];
  let depth = 0;
  let operand = '';
  for (const letter of text) {
    if ('[({'.includes(letter)) depth++;
    if ('])}'.includes(letter)) depth--;
    if (letter === ',' && depth === 0) {
      operands.push(operand.trim());
      operand = '';
    } else operand += letter;
  }
  if (operand.trim() !== '') operands.push(operand.trim());
  return operands;
}

function draftOf(address: string, text: string, where: string): Draft {
  const body = BODY.exec(text);
  if (body === null) throw new UnsupportedError(`${where} is no instruction that is understood: '${text}'.`);
  const [, predicate, opcode = '', rest = ''] = body;
  const mnemonic = opcode.split('.')[0] as string;
  const operands = operandsOf(rest);
  const last = BRANCH.has(mnemonic) ? (operands.at(-1) ?? '') : '';
  const absolute = /^0x([0-9a-f]+)$/i.exec(last)?.[1];
  return {
    address: Number.parseInt(address, 16),
    predicate,
    opcode,
    mnemonic,
    operands,
    label: /^`?\(?(\.L[\w.]*)\)?$/.exec(last)?.[1],
    absolute: absolute === undefined ? undefined : Number.parseInt(absolute, 16),
  };
}

/** Turns labels into addresses, once all of them are known. */
class FunctionDraft {
  readonly name: string;
  readonly #drafts: Draft[] = [];
  readonly #labels = new Map<string, number>();
  #waiting: string[] = [];

  constructor(name: string) {
    this.name = name;
  }

  label(name: string): void {
    this.#waiting.push(name);
  }

  add(draft: Draft): void {
    for (const name of this.#waiting) this.#labels.set(name, draft.address);
    this.#waiting = [];
    this.#drafts.push(draft);
  }

  finish(): SassFunction {
    const instructions = this.#drafts.map(({ label, absolute, ...rest }) => ({
      ...rest,
      target: label === undefined ? absolute : this.#labels.get(label),
    }));
    return { name: this.name, instructions };
  }
}

/**
 * Reads what `cuobjdump -sass` or `nvdisasm -c` prints.
 * @throws UnsupportedError naming a line that is no instruction, or where there is none at all
 */
export function parseSass(text: string): SassFunction[] {
  const functions: FunctionDraft[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const header = HEADER.exec(line);
    const name = header?.[1] ?? header?.[2] ?? header?.[3];
    if (name !== undefined && functions.at(-1)?.name !== name) functions.push(new FunctionDraft(name));
    const label = LABEL.exec(line)?.[1];
    if (label !== undefined) functions.at(-1)?.label(label);
    const [, address, body] = LINE.exec(line) ?? [];
    if (address === undefined || body === undefined) continue;
    if (functions.length === 0) functions.push(new FunctionDraft(''));
    functions.at(-1)?.add(draftOf(address, body, `Line ${i + 1}`));
  }
  const found = functions
    .map((draft) => draft.finish())
    .filter(({ instructions }) => instructions.length > 0);
  if (found.length === 0) throw new UnsupportedError('The disassembly has no instruction in it.');
  return found;
}

/** The function of a device symbol. @throws UnsupportedError naming those there are */
export function functionNamed(functions: readonly SassFunction[], symbol: string): SassFunction {
  const found = functions.find(({ name }) => name === symbol);
  if (found !== undefined) return found;
  const names = functions.map(({ name }) => name).join(', ');
  throw new UnsupportedError(`The disassembly has no function ${symbol}; it has ${names}.`);
}
