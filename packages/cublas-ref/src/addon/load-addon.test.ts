import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addonCandidates, interfaceVersion, loadAddon } from './load-addon.js';

const folder = mkdtempSync(join(tmpdir(), 'ffma-addon-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('the addon that was built here comes before the prebuilt one of the platform', () => {
  expect(addonCandidates('linux', 'x64')[1]).toBe('@ffma/cublas-ref-linux-x64');
  expect(addonCandidates()[0]).toMatch(/\/cublas-ref\/dist\/native\/ffma_cublas\.node$/);
});

test('the first that has the right interface is taken', () => {
  const old = file('old.cjs', 'module.exports = { interfaceVersion: 0 }');
  const right = file('right.cjs', `module.exports = { interfaceVersion: ${interfaceVersion}, right: true }`);
  expect(loadAddon([old, right])).toMatchObject({ right: true });
});

test('where none will do, the reason of each is told', () => {
  const missing = join(folder, 'missing.node');
  const broken = file('broken.node', 'no library');
  const old = file('older.cjs', 'module.exports = { interfaceVersion: 0 }');
  const foreign = file('foreign.cjs', 'module.exports = {}');
  let error: unknown;
  try {
    loadAddon([missing, broken, old, foreign]);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: 'FFMA_UNAVAILABLE', remedy: expect.stringContaining('cmake') });
  const { attempts } = (error as { details: { attempts: string[] } }).details;
  expect(attempts).toEqual([
    `${missing} is not there`,
    expect.stringMatching(/broken\.node does not load \((file too short|invalid ELF header)\)$/),
    `${old} has interface version 0, but ${interfaceVersion} is needed`,
    `${foreign} has interface version none, but ${interfaceVersion} is needed`,
  ]);
  expect((error as Error).message).toContain(attempts.join(', and '));
});
