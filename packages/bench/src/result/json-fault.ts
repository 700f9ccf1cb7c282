import { getLocation, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
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

/** What should stand where something else does, by the name of the error. */
const wanted: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'the name of a field, in quotes,',
  ValueExpected: 'a value',
  InvalidSymbol: 'a value',
  InvalidNumberFormat: 'a number',
  ColonExpected: '":"',
  CommaExpected: '"," or the end of the list',
  CloseBraceExpected: '"," or "}"',
  CloseBracketExpected: '"," or "]"',
  EndOfFileExpected: 'the end',
  InvalidCommentToken: 'a value, for JSON has no comments,',
};

const inText: ReadonlySet<string> = new Set(['InvalidUnicode', 'InvalidEscapeCharacter', 'InvalidCharacter']);

function sentence(text: string, { error, offset, length }: ParseError): string {
  const name = printParseErrorCode(error);
  if (name === 'UnexpectedEndOfString') {
    const rest = text.slice(offset + 1);
    return /["\n]/.test(rest) ? 'text has a line break that is no escape' : 'it ends in the middle of text';
  }
  if (inText.has(name)) return 'text has a letter or an escape that JSON does not have';
  // The whole word, of which the scanner may have taken a part: `-Infinity`.
  const word = /^[-+]?[\w.]+/.exec(text.slice(offset))?.[0] ?? '';
  const token = text.slice(offset, offset + Math.max(1, length)).trim();
  const found = word.length > token.length ? word : token;
  if (found === '') return 'it ends in the middle';
  return `${JSON.stringify(found)} stands where ${wanted[name] ?? 'something else'} should be`;
}

/** Where text that `JSON.parse` refuses is wrong; undefined where nothing is found. */
export function jsonFault(text: string): JsonFault | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
    const [first] = errors;
    if (first === undefined) return undefined;
    const before = text.slice(0, first.offset).split('\n');
    return {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      field: fieldOf(getLocation(text, first.offset).path.filter((part) => part !== '')),
      what: sentence(text, first),
    };
  } catch (error) {
    // Nesting so deep that the stack does not suffice is no result either, but no fault that could be named.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
