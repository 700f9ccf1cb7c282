import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.js';

const broken: [text: string, line: number, column: number, field: string, what: RegExp][] = [
  ['{"a": [1, 2', 1, 12, 'a[1]', /it ends in the middle$/],
  ['{"a": [1, {"b c": nul}]}', 1, 19, 'a[1]["b c"]', /"nul" stands where a value/],
  ['{"a": 1,\n "b": 01}', 2, 8, 'b', /"1" stands where "," or the end of the list/],
  ['{"a": 1,}', 1, 9, '', /"}" stands where the name of a field/],
  ['[1, 2,]', 1, 7, '[2]', /"]" stands where a value/],
  ['{"a" 1}', 1, 6, 'a', /"1" stands where ":"/],
  ['{"a": 1 "b": 2}', 1, 9, 'b', /stands where "," or the end of the list/],
  ["{'a': 1}", 1, 2, '', /"'a'" stands where a value/],
  ['{"a": "x', 1, 7, 'a', /ends in the middle of text/],
  ['{"a": "x\ny"}', 1, 7, 'a', /line break that is no escape/],
  ['{"a": "\\x"}', 1, 7, 'a', /an escape that JSON does not have/],
  ['{"a": /* b */ 1}', 1, 7, 'a', /JSON has no comments/],
  ['{} {}', 1, 4, '', /"{" stands where the end/],
  ['', 1, 1, '', /it ends in the middle/],
];

test.each(broken)('%j is wrong at line %d, column %d, in %j', (text, line, column, field, what) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonFault(text)).toEqual({ line, column, field, what: expect.stringMatching(what) });
});

test.each(['{"a": [1, -2.5e+3, true, null, "\\u00e9\\n\\"é\u007f"], "b": {}, "c": []}', ' "x" ', '0'])(
  '%j has none',
  (text) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(jsonFault(text)).toBeUndefined();
  },
);

test('nesting that the stack does not bear is no crash', () => {
  expect(jsonFault('['.repeat(1_000_000))).toBeUndefined();
});
