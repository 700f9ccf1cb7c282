import type { PtxFunction, PtxModule, PtxVariable } from './ast.js';
import { Cursor } from './cursor.js';
import type { OpenName } from './function-names.js';
import { parseFunction } from './parse-function.js';
import { isStateSpace, parseVariables } from './parse-variable.js';
import { ptxError } from './ptx-error.js';
import { SourceLines } from './source-lines.js';

/**
 * Reads PTX as nvcc 13 (PTX ISA 9.0) and clang 19 (8.5) write it. Debug sections are skipped. Instructions are not
 * checked against the instruction set: what runs them does that.
 *
 * @param text the whole PTX text
 * @param name what errors call the module
 * @throws CompileError naming module, line, the offending text and what was expected
 */
export function parsePtx(text: string, name = 'ptx'): PtxModule {
  const cursor = new Cursor(text, name);
  try {
    return new ModuleParser(cursor).parse();
  } catch (cause) {
    // Only the engine throws these, when its stack is full.
    if (!(cause instanceof RangeError)) throw cause;
    throw ptxError(cursor, 'lists, brackets or signs are nested too deeply here');
  }
}

class ModuleParser {
  private readonly lines = new SourceLines();
  private readonly functions = new Map<string, PtxFunction>();
  private readonly variables = new Map<string, PtxVariable>();
  private readonly known = new Set<string>();
  private readonly open: OpenName[] = [];
  private version = '';
  private target = '';
  private addressSize = 64;

  constructor(private readonly cursor: Cursor) {}

  parse(): PtxModule {
    const { cursor } = this;
    if (!cursor.acceptDotted('version')) throw cursor.expected("'.version' as first directive");
    this.version = this.versionNumber();
    while (cursor.kind !== 'end') this.directive();
    this.lines.finish();
    this.checkNames();
    const { version, target, addressSize, functions } = this;
    return { version, target, addressSize, functions, variables: [...this.variables.values()] };
  }

  private versionNumber(): string {
    const { text } = this.cursor;
    this.cursor.expect('number', 'a version such as 9.0');
    return text;
  }

  private directive(): void {
    const { cursor } = this;
    if (cursor.accept(';')) return;
    const directive = cursor.dotted('a directive');
    switch (directive) {
      case 'target':
        this.target = cursor.word('a target such as sm_90');
        while (cursor.accept(',')) cursor.word('a target option');
        return;
      case 'address_size':
        this.addressSize = cursor.integer();
        return;
      case 'file':
        this.lines.file(cursor);
        return;
      case 'loc':
        this.lines.loc(cursor);
        return;
      case 'section':
        if (cursor.kind === 'dotted' || cursor.kind === 'word') cursor.advance();
        cursor.skipBalanced('{', '}');
        return;
      case 'pragma':
      case 'alias':
        while (cursor.kind !== ';' && cursor.kind !== 'end') cursor.advance();
        cursor.expect(';');
        return;
      default:
        this.declaration(directive);
    }
  }

  /** Reads a function or variables, from behind the first directive of linkage, `.entry`, `.func` or space. */
  private declaration(first: string): void {
    const { cursor } = this;
    let directive = first;
    let extern = false;
    while (
      directive === 'visible' ||
      directive === 'extern' ||
      directive === 'weak' ||
      directive === 'common'
    ) {
      extern ||= directive === 'extern';
      directive = cursor.dotted("'.entry', '.func' or a state space");
    }
    if (directive === 'entry' || directive === 'func') {
      this.function(directive === 'entry');
    } else if (isStateSpace(directive)) {
      for (const variable of parseVariables(cursor, directive, extern)) this.variable(variable);
    } else {
      throw ptxError(cursor, `expected a directive of a module, found '.${directive}'`, {
        found: `.${directive}`,
      });
    }
  }

  private function(isEntry: boolean): void {
    const { cursor } = this;
    const { line, module } = cursor;
    while (cursor.acceptDotted('attribute')) cursor.skipBalanced('(', ')');
    const { name, definition, open } = parseFunction(cursor, this.lines, isEntry);
    if (definition !== undefined) {
      if (this.functions.has(name)) throw ptxError({ line, module }, `the function '${name}' has two bodies`);
      this.functions.set(name, definition);
    }
    this.known.add(name);
    for (const use of open) this.open.push(use);
  }

  /** A variable may be declared `.extern` first and defined later; the definition counts. */
  private variable(variable: PtxVariable): void {
    const known = this.variables.get(variable.name);
    if (known === undefined || known.extern) {
      this.variables.set(variable.name, variable);
      this.known.add(variable.name);
    } else if (!variable.extern) {
      const place = { module: this.cursor.module, line: variable.line };
      throw ptxError(place, `the variable '${variable.name}' is declared twice`, { found: variable.name });
    }
  }

  private checkNames(): void {
    for (const { operand, place } of this.open) {
      if (this.known.has(operand.name)) continue;
      throw ptxError(
        place,
        `expected a label, variable, parameter or function, found the unknown name '${operand.name}'`,
        { found: operand.name },
      );
    }
  }
}
