// Compiles packages/emulator/test/fixtures/tma.cu to tma.ptx.gz beside it, by nvcc and with the device headers of
// @ffma/core. Run it when either has changed: node scripts/emulator/tma-fixture.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const fixtures = at('packages/emulator/test/fixtures');
const folder = mkdtempSync(join(tmpdir(), 'ffma-tma-'));
try {
  // glibc's math.h, which nvcc includes ahead of everything, declares a function with the name of the namespace.
  const header = '#define ffma ffma_of_libc\n#include_next <cuda_runtime.h>\n#undef ffma\n';
  writeFileSync(join(folder, 'cuda_runtime.h'), header);
  const out = join(folder, 'tma.ptx');
  const flags = ['-ptx', '-arch=compute_90', '-O3', '-fmad=false', '-lineinfo', '--std=c++17'];
  const args = [...flags, '-I', folder, '-I', at('packages/core/include'), 'tma.cu', '-o', out];
  const { status, error } = spawnSync('nvcc', args, { cwd: fixtures, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
  const ptx = readFileSync(out, 'utf8');
  // Where files lie is this machine's affair; device headers are in a folder of their own.
  const named = ptx.replace(
    /^(\s*\.file\s+\d+ )"(?:.*\/)?([^/"]+)"/gm,
    (_, head, name) => `${head}"${name.endsWith('.cuh') ? 'ffma/' : ''}${name}"`,
  );
  const cut = named.replace(/\/\/.*$/gm, '').replace(/\n[\t ]*(?=\n)/g, '');
  writeFileSync(join(fixtures, 'tma.ptx.gz'), gzipSync(cut, { level: 9 }));
} finally {
  rmSync(folder, { recursive: true });
}
