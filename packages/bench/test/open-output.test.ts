import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const output = new URL('../dist/result/output.js', import.meta.url).href;

const program = `
const { checkWritable, writeAtomically } = await import(${JSON.stringify(output)});
process.stdout.write('before ');
for (const path of ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']) {
  if ((await checkWritable(path)).regular) throw new Error('It is no file to replace.');
  await writeAtomically(path, path + ' ');
}
process.stdout.write('after');`;

test.skipIf(process.platform !== 'linux').each([
  ['a file', '"$NODE" p.mjs > out'],
  ['a pipe', '"$NODE" p.mjs | cat > out'],
])('what the process has open is written where it stands: %s', (_, command) => {
  const folder = mkdtempSync(join(tmpdir(), 'ffma-output-'));
  try {
    writeFileSync(join(folder, 'p.mjs'), program);
    execFileSync('sh', ['-c', command], { cwd: folder, env: { ...process.env, NODE: process.execPath } });
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe(
      'before /dev/stdout /dev/fd/1 /proc/self/fd/1 after',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
