import { Lexer } from './lexer.js';
import { type Literal, parseLiteral } from './literal.js';

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

  /** Takes an unsigned number. */
  literal(what: string): Literal {
    const literal = this.kind === 'number' ? parseLiteral(this.text) : undefined;
    if (literal === undefined) throw this.expected(what);
    this.advance();
    return literal;
  }

  /** Takes an unsigned integer that a double holds exactly. */
  integer(what = 'an integer'): number {
    const literal = this.kind === 'number' ? parseLiteral(this.text) : undefined;
    const value = literal?.kind === 'int' ? Number(literal.value) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw this.expected(what);
    this.advance();
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
