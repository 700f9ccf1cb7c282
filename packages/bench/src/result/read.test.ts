import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { UsageError } from '../usage-error.js';
import { hostFacts } from './provenance.js';
import { parseAnyResult, readAnyResult } from './read.js';
import type { BenchResult } from './schema.js';
import { parseResult, readResult, stringifyResult } from './store.js';

const times = {
  medianUs: 12.5,
  minUs: 12,
  maxUs: 13,
  tflops: 1,
  rounds: [{ round: 1, medianUs: 12.5, minUs: 12, maxUs: 13, launchesUs: [12, 13], outliers: [] }],
  noise: { launches: 0.04, rounds: 0 },
  launched: 'singly' as const,
};
const correctness = {
  status: 'passed' as const,
  cases: { passed: 1, failed: 0, refused: 0 },
  gates: ['exact'],
  failures: [],
};
const row = (id: string) => ({
  id,
  kernel: id,
  package: { name: '@x/ladder', version: '1.0.0' },
  params: {},
  exactness: 'k-order' as const,
  asked: true,
  problem: { m: 8, n: 8, k: 8, alpha: 1, beta: 0, lda: 8, ldb: 8, ldc: 8 },
  correctness,
  times,
});
const right: BenchResult = {
  schemaVersion: 2,
  kind: 'bench',
  createdAt: '2026-11-30T12:00:00.000Z',
  tool: { '@ffma/bench': '0.1.0' },
  protocol: { name: 'alternating-rounds', version: 2 },
  mathMode: 'fp32',
  host: hostFacts(),
  device: { kind: 'cuda', name: 'GPU', arch: 'sm_90', limits: {}, details: {} },
  rows: ['k01', 'k02', 'k03', 'k04'].map(row),
};
const text = stringifyResult(right);

/** The text with the last row's median time written otherwise; undefined leaves it out. */
function withLastTime(written: string | undefined): string {
  const at = text.lastIndexOf(
    '"medianUs": 12.5,\n        "minUs": 12,\n        "maxUs": 13,\n        "tflops"',
  );
  expect(at).toBeGreaterThan(0);
  const end = text.indexOf(',', at);
  return written === undefined
    ? text.slice(0, at) + text.slice(end + 1)
    : `${text.slice(0, at)}"medianUs": ${written}${text.slice(end)}`;
}

async function faultOf(content: string | Uint8Array): Promise<string> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'r.json');
  writeFileSync(path, content);
  const error = await readAnyResult(path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  const { message } = error as UsageError;
  expect(message).toContain(path);
  expect(message).not.toContain('\n');
  return message.replaceAll(path, 'r.json');
}

test('a right file is read, also with a byte order mark', async () => {
  using folder = temporaryFolder({ 'r.json': text, 'bom.json': `\uFEFF${text}` });
  const read = JSON.parse(text) as BenchResult;
  expect(await readAnyResult(join(folder.path, 'r.json'))).toEqual(read);
  expect(await readResult(join(folder.path, 'bom.json'))).toEqual(read);
});

test('a value of another type, and one that is missing, is named by its field', async () => {
  expect(await faultOf(withLastTime('"12.5"'))).toMatch(
    /^r\.json is no bench result of schema version 2: rows\[3\]\.times\.medianUs: .*number.*string/,
  );
  expect(await faultOf(withLastTime('null'))).toMatch(/: rows\[3\]\.times\.medianUs: .*null/);
  expect(await faultOf(withLastTime('-1'))).toMatch(/: rows\[3\]\.times\.medianUs: /);
  expect(await faultOf(withLastTime(undefined))).toMatch(/: rows\[3\]\.times\.medianUs: .*undefined/);
  const versions = text.replace('"@ffma/bench": "0.1.0"', '"@ffma/bench": 1');
  expect(await faultOf(versions)).toMatch(/: tool\["@ffma\/bench"\]: /);
});

test('what JSON does not have is named by its field, line and column', async () => {
  const line = withLastTime('NaN')
    .split('\n')
    .findIndex((one) => one.includes('NaN'));
  expect(await faultOf(withLastTime('NaN'))).toBe(
    `r.json is no JSON: "NaN" stands where a value should be (line ${line + 1}, column 21, in rows[3].times.medianUs).`,
  );
  expect(await faultOf(withLastTime('-Infinity'))).toMatch(/"-Infinity" stands .*rows\[3\]\.times\.medianUs/);
});

test('a file that was cut off says where', async () => {
  const at = withLastTime('12.5').lastIndexOf('"tflops"');
  expect(await faultOf(text.slice(0, at - 1))).toMatch(
    /^r\.json is no JSON: it ends in the middle \(line \d+, column \d+, in rows\[3\]\.times\)\.$/,
  );
  expect(await faultOf(text.slice(0, at + 4))).toMatch(
    /it ends in the middle of text .*in rows\[3\]\.times\.tfl\)/,
  );
  expect(await faultOf(`${text}}`)).toMatch(/"}" stands where the end should be/);
});

test('what is no result at all says so', async () => {
  expect(await faultOf('')).toMatch(/^r\.json is empty\. Result files are written by ffma bench --json/);
  expect(await faultOf(' \n')).toMatch(/^r\.json is empty\./);
  expect(await faultOf('[]')).toMatch(/^r\.json is no result of ffma: it is an array, not an object\./);
  expect(await faultOf('null')).toMatch(/: it is null, not an object\./);
  expect(await faultOf('3')).toMatch(/: it is a number, not an object\./);
  expect(await faultOf('{}')).toMatch(/: it does not say its "kind"\./);
  expect(await faultOf('{ "kind": "soup" }')).toMatch(
    /: its kind is "soup", but is one of "bench", "profile"/,
  );
  expect(await faultOf(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1]))).toMatch(/is a binary file/);
  expect(await faultOf(new Uint8Array([0x7b, 0xff, 0xc0]))).toMatch(/is no text in UTF-8/);
  expect(await faultOf(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toMatch(/is in UTF-16\. Save it as UTF-8/);
});

test('a folder and a file that is not there are told apart', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'r.json'));
  await expect(readAnyResult(join(folder.path, 'r.json'))).rejects.toThrow(
    /r\.json cannot be read: it is a folder/,
  );
  await expect(readAnyResult(join(folder.path, 'gone'))).rejects.toThrow(
    /gone cannot be read: there is no such file/,
  );
});

test('a version from the future says which @ffma/bench reads it', async () => {
  const future = { ...right, schemaVersion: 99, tool: { '@ffma/bench': '7.1.0' } };
  expect(await faultOf(JSON.stringify(future))).toMatch(
    /^r\.json is a bench result of schema version 99, and this @ffma\/bench reads versions? .*\. It was written by @ffma\/bench 7\.1\.0: that version or a newer one reads it\.$/,
  );
  expect(await faultOf('{ "kind": "bench", "schemaVersion": 99 }')).toMatch(/try the newest @ffma\/bench/);
  expect(await faultOf('{ "kind": "bench" }')).toMatch(/schemaVersion must be .* but is missing/);
  expect(await faultOf('{ "kind": "bench", "schemaVersion": "1" }')).toMatch(/but is "1"/);
});

test('one kind is not taken for another', () => {
  expect(() => parseResult('{ "kind": "profile", "schemaVersion": 1 }', 'p.json')).toThrow(
    /^p\.json is no profile result of schema version 1: .*; and \d+ more\. ffma profile --json writes such files/,
  );
  expect(() => parseAnyResult('{ "kind": "bench", "schemaVersion": 1 }')).toThrow(
    /^The text is no bench result/,
  );
});
