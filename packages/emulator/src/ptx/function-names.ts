import type { CompileError } from '@ffma/core';
import type { Operand, PtxType } from './ast.js';
import { type PtxPlace, ptxError } from './ptx-error.js';
import { type Declared, Scope } from './scope.js';

/** A use of a name that was not declared before it: a label further down, or something of the module. */
export interface OpenName {
  readonly scope: Scope;
  readonly operand: { name: string };
  readonly place: PtxPlace;
}

/** Names of one function: declares them, makes them unique, and ties uses to declarations. */
export class FunctionNames {
  readonly registers = new Map<string, PtxType>();
  private scope = Scope.ofFunction();
  private readonly open: OpenName[] = [];
  private readonly tables = new Map<string, readonly Operand[]>();
  private readonly tableUses: { operands: Operand[]; place: PtxPlace }[] = [];

  push(): void {
    this.scope = this.scope.inner();
  }

  pop(): void {
    if (this.scope.parent !== undefined) this.scope = this.scope.parent;
  }

  declare(kind: Declared['kind'], name: string, place: PtxPlace): string {
    if (this.scope.declaresHere(name)) {
      throw ptxError(place, `'${name}' is declared twice in the same scope`, { found: name });
    }
    return this.scope.declare(kind, name);
  }

  declareRegister(name: string, type: PtxType, place: PtxPlace): void {
    this.registers.set(this.declare('reg', name, place), type);
  }

  /** Records the labels that a `.branchtargets` or `.calltargets` at this label lists. */
  declareTable(label: string, targets: readonly Operand[]): void {
    this.tables.set(label, targets);
  }

  find(name: string): Declared | undefined {
    return this.scope.lookUp(name);
  }

  /** Gives the operand its unique name, now or, if the declaration comes later, in {@link finish}. */
  tie<T extends { name: string }>(operand: T, place: PtxPlace): T {
    const declared = this.scope.lookUp(operand.name);
    if (declared === undefined) this.open.push({ scope: this.scope, operand, place });
    else operand.name = declared.name;
    return operand;
  }

  /** Notes that the last of these operands names a table of labels. */
  useTable(operands: Operand[], place: PtxPlace): void {
    this.tableUses.push({ operands, place });
  }

  undeclaredRegister(name: string, place: PtxPlace): CompileError {
    return ptxError(place, `the register '${name}' is not declared`, {
      found: name,
      expected: 'a declared register',
    });
  }

  /** Ties the open names to labels; gives those that only the module can know. */
  finish(): OpenName[] {
    const unknown = this.open.filter((use) => {
      const declared = use.scope.lookUp(use.operand.name);
      if (declared !== undefined) use.operand.name = declared.name;
      return declared === undefined;
    });
    for (const { operands, place } of this.tableUses) {
      const last = operands.at(-1);
      const elements = last?.kind === 'symbol' ? this.tables.get(last.name) : undefined;
      if (elements === undefined)
        throw ptxError(place, 'expected the label of a .branchtargets list as last operand');
      operands[operands.length - 1] = { kind: 'vector', elements };
    }
    return unknown;
  }
}
