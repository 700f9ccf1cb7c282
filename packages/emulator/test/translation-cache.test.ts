import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChildResult, runChild } from './support/child.js';
import { kernel } from './support/run-ptx.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ffma-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = () => readdirSync(join(folder, 'emulator')).sort();
const path = (file: string) => join(folder, 'emulator', file);

/** Prints the number that a kernel stores. */
function run(value: number, options = '{}'): Promise<ChildResult> {
  const ptx = kernel('u64 p', `ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], ${value};`);
  return runChild(
    `
import { launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
const device = new EmulatorDevice({ workers: 1, ...${options} });
const stream = device.createStream();
const buffer = device.allocateSync(4);
const object = await device.load(ObjectCode.fromPtx(${JSON.stringify(ptx)}));
launch(stream, { grid: [1, 1, 1], block: [4, 1, 1] }, object.kernel('k'), { type: 'pointer', buffer });
const word = new Uint32Array(1);
await buffer.copyTo(stream, word);
console.log(word[0]);`,
    { FFMA_CACHE_DIR: folder },
  );
}

const printed = (value: number) => ({ code: 0, stdout: `${value}\n`, stderr: '' });

test('a second process takes what the first has translated', async () => {
  expect(await run(1)).toMatchObject(printed(1));
  const [one] = files();
  expect(await run(2)).toMatchObject(printed(2));
  const two = files().find((file) => file !== one)!;
  // Were the first kernel translated again, it would store 1.
  copyFileSync(path(two), path(one!));
  expect(await run(1)).toMatchObject(printed(2));
  expect(files()).toHaveLength(2);
});

test('a damaged or cut file is as good as none, and replaced', async () => {
  expect(await run(1)).toMatchObject(printed(1));
  const [file] = files();
  const good = readFileSync(path(file!));
  const flipped = Buffer.from(good);
  flipped[good.length >> 1]! ^= 1;
  for (const bad of [flipped, good.subarray(0, good.length - 5)]) {
    writeFileSync(path(file!), bad);
    expect(await run(1)).toMatchObject(printed(1));
    expect(readFileSync(path(file!))).toEqual(good);
  }
  expect(files()).toEqual([file]);
});

test('without a cache nothing is written; each set of options has its own translation', async () => {
  expect(await run(1, '{ cache: false }')).toMatchObject(printed(1));
  expect(readdirSync(folder)).toEqual([]);
  for (const options of ['{}', '{ checks: false, counters: true }']) {
    expect(await run(1, options)).toMatchObject(printed(1));
  }
  expect(files()).toHaveLength(2);
});

test('processes that translate the same kernel at once leave one whole file', async () => {
  const results = await Promise.all([1, 2, 3].map(() => run(7)));
  for (const result of results) expect(result).toMatchObject(printed(7));
  expect(files()).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.bin$/)]);
});

test('a cache that cannot be written costs time, nothing else', async () => {
  writeFileSync(join(folder, 'emulator'), 'a file where the folder should be');
  expect(await run(3)).toMatchObject(printed(3));
});
