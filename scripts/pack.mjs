// Packs every package as it is published, with the addons of this platform, into .ffma/packages: what can be installed
// before there is a release, and what a release uploads.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { admits, readPackageJson } from './bundle/closure.mjs';
import { prepare, toolEnvironment } from './lib/prepare.mjs';
import { run } from './lib/run.mjs';
import { step } from './lib/step.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, '.ffma', 'packages');

/** Folders of packages that are published, and made for this platform. */
function folders() {
  const all = ['packages', 'platforms'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(root, group, entry.name)),
  );
  return all.filter((folder) => {
    const { os, cpu } = readPackageJson(folder);
    return admits(os, process.platform) && admits(cpu, process.arch);
  });
}

async function packAll() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const cwd of folders()) {
    const args = ['pack', '--pack-destination', target];
    const name = `Pack ${readPackageJson(cwd).name}`;
    const env = toolEnvironment(root);
    if (!(await step(name, () => run(join(root, 'node_modules', '.bin', 'pnpm'), args, { cwd, env }))))
      return false;
  }
  const files = join(relative(process.cwd(), target) || '.', '*.tgz');
  process.stdout.write(`\n${files}: install those you need together, with npm install <files>.\n`);
  return true;
}

process.exit((await prepare(root)) && (await packAll()) ? 0 : 1);
