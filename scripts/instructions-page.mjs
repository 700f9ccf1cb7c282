// Writes docs/instructions.md from the tables of the built @ffma/emulator and the forms of its tests.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const test = 'packages/emulator/test/instructions-page.test.ts';
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'emulator', test], {
  cwd,
  stdio: 'inherit',
  env: { ...process.env, FFMA_WRITE_INSTRUCTIONS: '1' },
});
process.exitCode = status ?? 1;
