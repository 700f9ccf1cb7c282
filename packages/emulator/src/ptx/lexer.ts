import type { CompileError } from '@ffma/core';
import { ptxError } from './ptx-error.js';

/**
 * - `word`: identifier, opcode, register (`%r1`), label
 * - `dotted`: `.global`, `.L2::128B`
 * - `number`: any integer or floating-point literal, without a sign
 * - `string`: in double quotes
 * - `end`: end of the text
 * - anything else is the one punctuation character itself
 */
export type TokenKind = string;

const SPACE = 1;
const WORD = 2;
const DIGIT = 4;
const classes = new Uint8Array(128);
for (const c of ' \t\r\n\f\v') classes[c.charCodeAt(0)] = SPACE;
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$') classes[c.charCodeAt(0)] = WORD;
for (const c of '0123456789') classes[c.charCodeAt(0)] = DIGIT;

const NEWLINE = 10;
const QUOTE = 34;
const PERCENT = 37;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const LOWER_E = 101;

/** Splits PTX text into tokens, one at a time: the fields describe the current one. Linear in the text's length. */
export class Lexer {
  kind: TokenKind = 'end';
  /** Offsets of the current token in {@link source}. */
  start = 0;
  end = 0;
  /** 1-based line of the current token. */
  line = 1;
  /** End offset of the token before the current one. */
  previousEnd = 0;
  /** Start offset of the last comment seen; −1 before the first. */
  lastComment = -1;

  constructor(
    readonly source: string,
    readonly module: string,
  ) {
    this.advance();
  }

  /** The current token as written; quotes included for a string. */
  get text(): string {
    return this.source.slice(this.start, this.end);
  }

  /** Moves to the next token. */
  advance(): void {
    this.previousEnd = this.end;
    const { source } = this;
    const at = this.skipBlank(this.end);
    this.start = at;
    if (at >= source.length) {
      this.kind = 'end';
      this.end = at;
      return;
    }
    const c = source.charCodeAt(at);
    const next = at + 1 < source.length ? source.charCodeAt(at + 1) : 0;
    const cls = classes[c] ?? 0;
    if (cls === WORD || (c === PERCENT && ((classes[next] ?? 0) & (WORD | DIGIT)) !== 0)) {
      this.kind = 'word';
      this.end = this.wordEnd(at + 1);
    } else if (cls === DIGIT) {
      this.kind = 'number';
      this.end = this.numberEnd(at);
    } else if (c === DOT && ((classes[next] ?? 0) & (WORD | DIGIT)) !== 0) {
      this.kind = 'dotted';
      this.end = this.dottedEnd(at + 1);
    } else if (c === QUOTE) {
      this.kind = 'string';
      this.end = this.stringEnd(at + 1);
    } else {
      this.kind = source.charAt(at);
      this.end = at + 1;
    }
  }

  /** An error at the current token: what was expected, and what stands there. */
  expected(what: string): CompileError {
    const found = this.kind === 'end' ? 'the end of the text' : `'${this.text}'`;
    return ptxError(this, `expected ${what}, found ${found}`, { expected: what, found: this.text });
  }

  private skipBlank(from: number): number {
    const { source } = this;
    const length = source.length;
    let at = from;
    while (at < length) {
      const c = source.charCodeAt(at);
      if (c === NEWLINE) {
        this.line++;
        at++;
      } else if (classes[c] === SPACE) {
        at++;
      } else if (c === SLASH && source.charCodeAt(at + 1) === SLASH) {
        this.lastComment = at;
        const newline = source.indexOf('\n', at);
        at = newline < 0 ? length : newline;
      } else if (c === SLASH && source.charCodeAt(at + 1) === STAR) {
        this.lastComment = at;
        at = this.blockCommentEnd(at);
      } else {
        break;
      }
    }
    return at;
  }

  private blockCommentEnd(start: number): number {
    const close = this.source.indexOf('*/', start + 2);
    if (close < 0) throw ptxError(this, "a comment '/*' has no end '*/'", { found: '/*', expected: '*/' });
    for (let at = start; at < close; at++) if (this.source.charCodeAt(at) === NEWLINE) this.line++;
    return close + 2;
  }

  private wordEnd(from: number): number {
    let at = from;
    while (((classes[this.source.charCodeAt(at)] ?? 0) & (WORD | DIGIT)) !== 0) at++;
    return at;
  }

  private dottedEnd(from: number): number {
    let at = this.wordEnd(from);
    while (this.source.charCodeAt(at) === COLON && this.source.charCodeAt(at + 1) === COLON) {
      at = this.wordEnd(at + 2);
    }
    return at;
  }

  /** Integers and `0f…` are words that start with a digit; a decimal also takes a fraction and a signed exponent. */
  private numberEnd(from: number): number {
    const { source } = this;
    let at = this.wordEnd(from);
    if (source.charCodeAt(at) === DOT && (classes[source.charCodeAt(at + 1)] ?? 0) === DIGIT) {
      at = this.wordEnd(at + 1);
    }
    const last = source.charCodeAt(at - 1) | 32;
    const sign = source.charCodeAt(at);
    const prefixed = /^0[xXfFdDbB]/.test(source.slice(from, from + 2));
    if (last === LOWER_E && !prefixed && (sign === PLUS || sign === MINUS)) at = this.wordEnd(at + 1);
    return at;
  }

  private stringEnd(from: number): number {
    const close = this.source.indexOf('"', from);
    const newline = this.source.indexOf('\n', from);
    if (close < 0 || (newline >= 0 && newline < close)) {
      throw ptxError(this, 'a string has no closing quote on its line', {
        found: '"',
        expected: 'closing quote',
      });
    }
    return close + 1;
  }
}
