// The main job, from a clean clone: install, build, then verify every kernel and show what it does.
// Arguments are passed on: npm start -- --help
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (!(await prepare(root))) process.exit(1);
process.stdout.write('\n');
const tour = join(root, 'packages', 'bench', 'bin', 'ffma.js');
const { code } = await run(process.execPath, [tour, 'tour', ...process.argv.slice(2)], {
  cwd: root,
  output: 'inherit',
});
process.exit(code);
