import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scratch } from '../../test/support/fake-tools.js';
import { cacheKey, clearCache, readCache, writeCache } from './compile-cache.js';

const key = cacheKey({ a: 1 });
const entry = {
  bytes: new Uint8Array([0, 10, 255, 10]),
  reproducible: true,
  resources: { f: { registers: 8, sharedBytes: 0, spillBytes: 0 } },
  log: 'a warning\nof two lines',
};

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
  vi.stubEnv('FFMA_CACHE_DIR', scratch.path);
});
afterEach(() => {
  vi.unstubAllEnvs();
  scratch[Symbol.dispose]();
});

const pathOf = () => join(scratch.path, 'compile', key.slice(0, 2), key.slice(2));

describe('compile cache', () => {
  it('gives back what was stored, byte for byte', async () => {
    expect(await readCache(key)).toBeUndefined();
    expect(await writeCache(key, entry)).toBe(true);
    expect(await readCache(key)).toEqual(entry);
  });

  it('leaves no temporary file behind', async () => {
    await writeCache(key, entry);
    expect(readdirSync(join(scratch.path, 'compile', key.slice(0, 2)))).toEqual([key.slice(2)]);
  });

  it('sees every changed byte, a cut-off end and an empty file', async () => {
    await writeCache(key, entry);
    const whole = readFileSync(pathOf());
    for (const at of [0, 70, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ 1;
      writeFileSync(pathOf(), damaged);
      expect(await readCache(key)).toBeUndefined();
    }
    for (const length of [0, 64, 66, whole.length - 1]) {
      writeFileSync(pathOf(), whole.subarray(0, length));
      expect(await readCache(key)).toBeUndefined();
    }
  });

  it('is no obstacle where its folder cannot be made', async () => {
    vi.stubEnv('FFMA_CACHE_DIR', scratch.file('file', ''));
    expect(await writeCache(key, entry)).toBe(false);
    expect(await readCache(key)).toBeUndefined();
  });

  it('clears', async () => {
    await writeCache(key, entry);
    await clearCache();
    expect(existsSync(pathOf())).toBe(false);
    await clearCache();
  });
});
