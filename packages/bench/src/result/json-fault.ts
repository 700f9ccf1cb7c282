import { z } from 'zod';

/** Where text stops being JSON. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The field whose value is broken, as `rows[3].times.medianUs`; empty at the top. */
  readonly field: string;
  /** What is wrong, as the end of a sentence: `it ends in the middle`. */
  readonly what: string;
}

/** `rows[3].times.medianUs`, `tool["@ffma/bench"]`. */
export const fieldOf = (path: readonly PropertyKey[]): string => z.core.toDotPath([...path]);

class Fault extends Error {}

const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const WORD = /[\w.+-]+/y;

/** Reads JSON for its structure alone, so as to know in which field it breaks. */
class Scanner {
  at = 0;
  readonly path: PropertyKey[] = [];

  constructor(readonly text: string) {}

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  next(): string {
    this.take(/[ \t\r\n]*/y);
    return this.text[this.at] ?? '';
  }

  fail(wanted: string): never {
    if (this.next() === '') throw new Fault('it ends in the middle');
    const start = this.at;
    const found = this.take(WORD) ?? this.text[start];
    this.at = start;
    throw new Fault(`${JSON.stringify(found)} stands where ${wanted} should be`);
  }

  expect(token: string, wanted: string): void {
    if (this.next() !== token) this.fail(wanted);
    this.at++;
  }

  /** The members of an object or array, after its first bracket. */
  members(end: string, member: (index: number) => void): void {
    this.at++;
    if (this.next() === end) {
      this.at++;
      return;
    }
    for (let index = 0; ; index++) {
      member(index);
      this.path.pop();
      if (this.next() === end) break;
      this.expect(',', `"," or "${end}"`);
    }
    this.at++;
  }

  value(): void {
    const first = this.next();
    if (first === '{') {
      this.members('}', () => {
        this.next();
        const key = this.take(STRING) ?? this.failString('the name of a field, in quotes,');
        this.path.push(JSON.parse(key) as string);
        this.expect(':', '":"');
        this.value();
      });
    } else if (first === '[') {
      this.members(']', (index) => {
        this.path.push(index);
        this.value();
      });
    } else if (first === '"') {
      if (this.take(STRING) === undefined) this.failString('text');
    } else if (this.take(SCALAR) === undefined) this.fail('a value');
  }

  /** A string that has no end, or holds what none can. */
  failString(wanted: string): never {
    if (this.text[this.at] !== '"') this.fail(wanted);
    if (!this.text.slice(this.at + 1).includes('"')) throw new Fault('it ends in the middle of text');
    throw new Fault('text has a line break or an escape that JSON does not have');
  }
}

/** Where text that `JSON.parse` refuses is wrong; undefined where nothing is found. */
export function jsonFault(text: string): JsonFault | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.value();
    if (scanner.next() === '') return undefined;
    scanner.fail('the end');
  } catch (error) {
    // Nesting so deep that the stack does not suffice is no result either, but no fault that could be named.
    if (!(error instanceof Fault)) return undefined;
    const before = text.slice(0, scanner.at).split('\n');
    return {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      field: fieldOf(scanner.path),
      what: error.message,
    };
  }
}
