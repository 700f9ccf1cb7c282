import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const exported = `{ addon: '@ffma/cublas-ref', interfaceVersion: ${interfaceVersion}, right: true }`;
  const right = file('right.cjs', `module.exports = ${exported}`);
  expect(loadAddon([old, right])).toMatchObject({ right: true });
});

test('where none will do, the reason of each is told', () => {
  const missing = join(folder, 'missing.node');
  const broken = file('broken.node', 'no library');
  const old = file('older.cjs', 'module.exports = { interfaceVersion: 0 }');
  const foreign = file('foreign.cjs', 'module.exports = {}');
  const other = file('other.cjs', "module.exports = { addon: '@ffma/core' }");
  const unnamed = file('unnamed.cjs', `module.exports = { interfaceVersion: ${interfaceVersion} }`);
  const cut = join(folder, 'cut.node');
  writeFileSync(cut, readFileSync(process.execPath).subarray(0, 100_000));
  let error: unknown;
  try {
    loadAddon([missing, broken, old, foreign, other, unnamed, cut]);
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
    `${other} is the addon of @ffma/core`,
    `${unnamed} is no addon of @ffma/cublas-ref`,
    expect.stringMatching(
      /cut\.node does not load \(file is cut short: it has 100000 bytes of at least \d+\)$/,
    ),
  ]);
  expect((error as Error).message).toContain(attempts.join(', and '));
});
