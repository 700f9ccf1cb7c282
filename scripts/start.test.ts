import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let bin: string;
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'ffma-bin-'));
});
afterEach(() => rmSync(bin, { recursive: true }));

/** Runs `npm start` or `npm test` as they are, on a machine that has only the programs of `bin`. */
async function runScript(script: string): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], { env: { PATH: bin } });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return { code, lines: output.trimEnd().split('\n') };
}

it('names everything that is missing, and the command that brings it, before it does anything', async () => {
  const { code, lines } = await runScript('start.mjs');
  expect(code).toBe(1);
  expect(lines.filter((line) => line.includes('missing:'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('not found:'))).toHaveLength(2);
  for (const name of ['clang-19', 'g++', 'cmake'])
    expect(lines.join('\n')).toContain(`apt-get install -y ${name}`);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines.join('\n')).not.toContain('Install packages');
});

it('stops where nvcc is there without a host compiler', async () => {
  writeFileSync(join(bin, 'nvcc'), "#!/bin/sh\necho 'release 13.0, V13.0.88'\n");
  chmodSync(join(bin, 'nvcc'), 0o755);
  const { code, lines } = await runScript('start.mjs');
  expect(code).toBe(1);
  expect(lines.join('\n')).toMatch(/missing: a C\+\+ compiler/);
});

it('ends a failed npm test with the counts too', async () => {
  const { code, lines } = await runScript('test.mjs');
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('0 passed, 1 failed');
});
