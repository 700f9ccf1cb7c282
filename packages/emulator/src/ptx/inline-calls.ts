import { CompileError } from '@ffma/core';
import { assertion } from './assertion.js';
import type { Instruction, Label, Operand, PtxFunction, PtxModule, PtxType, PtxVariable } from './ast.js';
import { placeSuffix } from './kernel-place.js';
import { around, placeOf } from './made.js';
import { renamed } from './rename.js';

/** Statements that a body may grow to: calls of calls multiply. */
const MOST_STATEMENTS = 2_000_000;

/** What the device runtime provides, and the emulator does not. */
const RUNTIME: Readonly<Record<string, string>> = {
  vprintf: 'printf is not emulated; write to a buffer instead, and print that from the host',
  malloc: 'there is no heap in a kernel; pass memory that the host has allocated',
  free: 'there is no heap in a kernel; pass memory that the host has allocated',
};

interface Draft {
  readonly statements: (Instruction | Label)[];
  readonly registers: Map<string, PtxType>;
  readonly variables: PtxVariable[];
}

function refuse(instruction: Instruction, where: string, why: string, remedy?: string): never {
  const { line, text, source } = instruction;
  throw new CompileError(`${where}, PTX line ${line}${placeSuffix(source)}: ${why} (${text}).`, {
    details: { line, text },
    ...(remedy === undefined ? {} : { remedy }),
  });
}

const elements = (operand: Operand | undefined): readonly Operand[] =>
  operand?.kind === 'vector' ? operand.elements : [];

/** Puts the bodies of the functions that a function calls in the place of the calls. */
class Inliner {
  readonly #module: PtxModule;
  readonly #where: string;
  readonly #draft: Draft;
  #calls = 0;

  constructor(module: PtxModule, where: string, fn: PtxFunction) {
    this.#module = module;
    this.#where = where;
    this.#draft = { statements: [], registers: new Map(fn.registers), variables: [...fn.variables] };
  }

  inline(fn: PtxFunction): PtxFunction {
    this.#body(fn, [fn.name]);
    const { statements, registers, variables } = this.#draft;
    return { ...fn, body: statements, registers, variables };
  }

  #body(fn: Pick<PtxFunction, 'body'>, chain: readonly string[]): void {
    const { statements } = this.#draft;
    for (const statement of fn.body) {
      if (statement.kind === 'label' || statement.op !== 'call') statements.push(statement);
      else this.#call(statement, chain);
      if (statements.length > MOST_STATEMENTS && statement.kind === 'instruction') {
        refuse(statement, this.#where, 'with all calls inlined the kernel is too long');
      }
    }
  }

  #call(call: Instruction, chain: readonly string[]): void {
    const [results, callee, args] = call.operands;
    if (callee?.kind !== 'symbol') {
      refuse(
        call,
        this.#where,
        'calls through a pointer are not emulated',
        'Call functions by name, or switch.',
      );
    }
    const { name } = callee;
    const number = ++this.#calls;
    const before = this.#draft.statements.length;
    if (name === '__assertfail') {
      const trap: Instruction = { ...placeOf(call), op: 'trap', modifiers: [], operands: [] };
      this.#draft.statements.push(assertion(call, elements(args)), trap);
    } else {
      this.#inlined(call, name, number, [...elements(results), ...elements(args)], chain);
    }
    if (call.guard === undefined) return;
    const body = this.#draft.statements.splice(before);
    for (const statement of around(call, `$around${number}`, body)) this.#draft.statements.push(statement);
  }

  #inlined(
    call: Instruction,
    name: string,
    number: number,
    passed: readonly Operand[],
    chain: readonly string[],
  ) {
    const callee = this.#module.functions.get(name);
    if (callee === undefined) {
      refuse(
        call,
        this.#where,
        RUNTIME[name] ?? `the function '${name}' is called, and the module has no body of it`,
      );
    }
    if (chain.includes(name)) {
      refuse(call, this.#where, `'${name}' calls itself, and functions are inlined`, 'Write it as a loop.');
    }
    const formal = [...callee.results, ...callee.params];
    if (formal.length !== passed.length) {
      refuse(
        call,
        this.#where,
        `'${name}' takes ${formal.length} parameters and results, not ${passed.length}`,
      );
    }
    const params = new Map<string, string>();
    for (const [i, { name: own }] of formal.entries()) {
      const actual = passed[i]!;
      if (actual.kind !== 'symbol')
        refuse(call, this.#where, 'a parameter of a call must be a .param variable');
      params.set(own, actual.name);
    }
    const end = `$return${number}`;
    const copy = renamed(callee, number, params, end);
    const { registers, variables, statements } = this.#draft;
    for (const [register, type] of copy.registers) registers.set(register, type);
    for (const variable of copy.variables) {
      if (!variables.some((known) => known.name === variable.name)) variables.push(variable);
    }
    this.#body(copy, [...chain, name]);
    statements.push({ kind: 'label', name: end, line: call.line });
  }
}

/**
 * A function in which every call is replaced by the body of what it calls.
 * @throws CompileError for recursion, calls through pointers and functions without a body, with the line
 */
export function inlineCalls(module: PtxModule, where: string, fn: PtxFunction): PtxFunction {
  const calls = fn.body.some((statement) => statement.kind === 'instruction' && statement.op === 'call');
  return calls ? new Inliner(module, where, fn).inline(fn) : fn;
}
