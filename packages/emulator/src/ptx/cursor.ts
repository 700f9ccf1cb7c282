import { Lexer } from './lexer.js';
import { type Literal, negateLiteral, parseLiteral } from './literal.js';
import { ptxError } from './ptx-error.js';

/** The lexer with what every part of the parser needs: accept, expect, read a name or a number. */
export class Cursor extends Lexer {
  /** Takes the current token if it is of this kind. */
  accept(kind: string): boolean {
    if (this.kind !== kind) return false;
    this.advance();
    return true;
  }

  /** Takes a token of this kind, or throws with `what` it stands for. */
  expect(kind: string, what = `'${kind}'`): void {
    if (!this.accept(kind)) throw this.expected(what);
  }

  /** Takes a word and gives its text. */
  word(what: string): string {
    if (this.kind !== 'word') throw this.expected(what);
    const text = this.text;
    this.advance();
    return text;
  }

  /** Takes `.name` and gives it without the dot. */
  dotted(what: string): string {
    if (this.kind !== 'dotted') throw this.expected(what);
    const text = this.source.slice(this.start + 1, this.end);
    this.advance();
    return text;
  }

  /** Whether the current token is `.name`. */
  isDotted(name: string): boolean {
    return this.kind === 'dotted' && this.end - this.start === name.length + 1 && this.text === `.${name}`;
  }

  acceptDotted(name: string): boolean {
    if (!this.isDotted(name)) return false;
    this.advance();
    return true;
  }

  /** Takes a literal with any signs before it. */
  literal(what = 'a number'): Literal {
    let negative = false;
    while (this.kind === '-' || this.kind === '+') {
      if (this.kind === '-') negative = !negative;
      this.advance();
    }
    const literal = this.kind === 'number' ? parseLiteral(this.text) : undefined;
    if (literal === undefined) throw this.expected(what);
    this.advance();
    return negative ? negateLiteral(literal) : literal;
  }

  /** Takes an integer that fits a double exactly. */
  integer(what = 'an integer'): number {
    const { line, module, start } = this;
    const literal = this.literal(what);
    const value = literal.kind === 'int' ? Number(literal.value) : Number.NaN;
    if (!Number.isSafeInteger(value)) {
      const found = this.source.slice(start, this.previousEnd);
      throw ptxError({ module, line }, `expected ${what}, found '${found}'`, { expected: what, found });
    }
    return value;
  }

  /** Skips from an opening token to behind its partner. */
  skipBalanced(open: string, close: string): void {
    const { line } = this;
    this.expect(open);
    for (let depth = 1; depth > 0; this.advance()) {
      if (this.kind === 'end') throw this.expected(`'${close}' for the '${open}' of line ${line}`);
      if (this.kind === open) depth++;
      else if (this.kind === close) depth--;
    }
  }
}
