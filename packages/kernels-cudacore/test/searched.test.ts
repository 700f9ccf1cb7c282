import { readFileSync } from 'node:fs';
import { k06, k07 } from '@ffma/kernels-cudacore';
import { expect, test } from 'vitest';

/** A source without the comment that heads it. */
const code = (source: URL) => readFileSync(source, 'utf8').replace(/^(\/\/.*\n)+/, '');

test('k07 is the code of k06', () => {
  expect(code(k07.definition.source)).toBe(code(k06.definition.source));
});

/** Those of the article; a sweep may have written others beside them. */
const declared = ['default', ...Object.keys(k07.definition.variants ?? {})];
const candidates = declared.map((name) => [name, k07.variant(name)] as const);

test('eleven candidates are searched, k06 among them', () => {
  expect(candidates).toHaveLength(11);
  expect(candidates.map(([, { params }]) => params)).toContainEqual(k06.params);
});

test('every candidate is called after its geometry', () => {
  for (const [name, { params }] of candidates) {
    if (name === 'default') continue;
    const { BM, BN, BK, WM, WN, TM, TN } = params;
    expect(name).toBe(`${BM}x${BN}x${BK}_${WM}x${WN}_${TM}x${TN}`);
  }
});

test('the axes of the search lead to every candidate', () => {
  for (const [, { params }] of candidates) {
    for (const [axis, value] of Object.entries(params)) {
      expect(k07.definition.search?.[axis as 'BM']).toContain(value);
    }
  }
});

test.each([
  { why: 'WM divides BM', params: { WM: 48 } },
  { why: '32 lanes cover its tile with one TM × TN patch each', params: { TM: 4 } },
  { why: 'TM and TN are multiples of 4', params: { WM: 32, TM: 2, WN: 64 } },
  { why: 'at most 1024 threads', params: { BM: 512, BN: 512 } },
  { why: 'ends at 48 KiB', params: { BK: 64 } },
  { why: 'BM is a multiple of 16 and BK of 8', params: { BK: 4 } },
  { why: 'as many float4s of a tile as any other', params: { BN: 32, BM: 256, BK: 8, WN: 32 } },
])('refuses $params: $why', ({ why, params }) => {
  expect(() => k07.with(params)).toThrow(why);
});
