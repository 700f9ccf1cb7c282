import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scratch } from '../../test/support/fake-tools.js';
import { inWorkFolder, type WorkFolder } from './work-folder.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
  vi.stubEnv('TMPDIR', scratch.path);
});
afterEach(() => {
  vi.unstubAllEnvs();
  scratch[Symbol.dispose]();
});

const files = new Map([['ffma/a.cuh', '// a']]);
const itself = async (folder: WorkFolder) => folder;

describe('inWorkFolder', () => {
  it('is the same path each time, holds the files, and is gone afterwards, also where the work fails', async () => {
    const read = ({ path }: WorkFolder) => readFileSync(join(path, 'ffma/a.cuh'), 'utf8');
    expect(await inWorkFolder('key', files, async (folder) => read(folder))).toBe('// a');
    const first = await inWorkFolder('key', files, itself);
    expect(await inWorkFolder('key', files, itself)).toEqual(first);
    expect(first).toEqual({ path: join(scratch.path, 'ffma-key'), usual: true });
    await expect(inWorkFolder('key', files, () => Promise.reject(new Error('refused')))).rejects.toThrow(
      'refused',
    );
    expect(readdirSync(scratch.path)).toEqual([]);
  });

  it('waits for whoever compiles the same', async () => {
    const order: string[] = [];
    const slow = inWorkFolder('key', files, async () => {
      await new Promise((resolve) => setTimeout(resolve, 80));
      order.push('first');
    });
    const next = inWorkFolder('key', files, async ({ usual }) => order.push(`second ${usual}`));
    await Promise.all([slow, next]);
    expect(order).toEqual(['first', 'second true']);
  });

  it('takes another one, and says so, where that does not end; and clears away what a dead process left', async () => {
    const left = join(scratch.path, 'ffma-key');
    mkdirSync(left);
    const other = await inWorkFolder('key', files, itself, 60);
    expect(other.usual).toBe(false);
    expect(other.path).not.toBe(left);
    expect(existsSync(left)).toBe(true);
    const old = Date.now() / 1000 - 3600;
    utimesSync(left, old, old);
    expect(await inWorkFolder('key', files, itself, 500)).toEqual({ path: left, usual: true });
  });
});
