// Packs every package as it is published, with the addons of this platform, into .ffma/packages: what can be installed
// before there is a release, and what a release uploads. Where there is a ptxas, the fastest kernels have cubins, too.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

/** Machine code that is published beside the PTX. */
const CUBINS = ['sm_90'];

/** Ids of the variants that a package says were the fastest somewhere. @param {string} folder */
async function fastestOf(folder) {
  const { fastest = [] } = await import(pathToFileURL(join(folder, 'dist', 'src', 'index.js')).href);
  return fastest.map((/** @type {{ variant: { id: string } }} */ { variant }) => variant.id);
}

/**
 * Builds the kernels of every package that has some, and of the fastest these cubins.
 * @param {readonly string[]} cubins @returns {Promise<boolean>}
 */
async function buildKernels(cubins) {
  const compiler = join(root, 'packages', 'core', 'bin', 'ffma-kernelc.js');
  const built = folders().filter((cwd) =>
    /\bffma-kernelc build\b/.test(readPackageJson(cwd).scripts?.build ?? ''),
  );
  for (const cwd of built) {
    const of = cubins.length === 0 ? [] : await fastestOf(cwd);
    const args =
      of.length === 0 ? [] : [...cubins.flatMap((arch) => ['--cubin', arch]), '--cubins-of', of.join(',')];
    const name = `Compile ${readPackageJson(cwd).name}: PTX${of.length === 0 ? '' : `, ${cubins.join(', ')}`}`;
    const work = () =>
      run(process.execPath, [compiler, 'build', ...args], { cwd, env: toolEnvironment(root) });
    if (!(await step(name, work))) return false;
  }
  return true;
}

/** Whether a cubin can be made here. */
async function hasPtxas() {
  const { findToolchains } = await import('../packages/core/dist/compile/index.js');
  const first = (await findToolchains()).find(({ available }) => available);
  return first?.available === true && first.formats.includes('cubin');
}

/** What is packed has cubins; what is left in the folders is again what every other build makes of them. */
async function packWithCubins() {
  if (!(await hasPtxas())) {
    process.stdout.write(
      '  There is no ptxas here: the packages have PTX alone, which the driver compiles.\n',
    );
    return packAll();
  }
  try {
    return (await buildKernels(CUBINS)) && (await packAll());
  } finally {
    await buildKernels([]);
  }
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

process.exit((await prepare(root)) && (await packWithCubins()) ? 0 : 1);
