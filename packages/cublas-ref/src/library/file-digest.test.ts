import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileDigest } from './file-digest.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ffma-digest-'));
  file = join(folder, 'library');
  vi.stubEnv('FFMA_CACHE_DIR', join(folder, 'cache'));
  write('one', 1000);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function write(text: string, seconds: number): void {
  writeFileSync(file, text);
  utimesSync(file, seconds, seconds);
}

const stored = () => {
  const [name] = readdirSync(join(folder, 'cache', 'digests'));
  return join(folder, 'cache', 'digests', name as string);
};

test('is that of the bytes, and is remembered', async () => {
  expect(await fileDigest(file)).toBe(sha256('one'));
  const entry = JSON.parse(readFileSync(stored(), 'utf8'));
  writeFileSync(stored(), JSON.stringify({ ...entry, sha256: sha256('remembered') }));
  expect(await fileDigest(file)).toBe(sha256('remembered'));
});

test('is made again for a file that changed, by size or by time', async () => {
  await fileDigest(file);
  write('two', 2000);
  expect(await fileDigest(file)).toBe(sha256('two'));
  write('three', 2000);
  expect(await fileDigest(file)).toBe(sha256('three'));
});

test('is made again where what was stored is damaged', async () => {
  await fileDigest(file);
  writeFileSync(stored(), '{"path"');
  expect(await fileDigest(file)).toBe(sha256('one'));
});

test('is right where nothing can be stored', async () => {
  vi.stubEnv('FFMA_CACHE_DIR', join(file, 'below-a-file'));
  expect(await fileDigest(file)).toBe(sha256('one'));
});

test('rejects for a file that is not there', async () => {
  await expect(fileDigest(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});
