// Makes what runs ffma and its GPU tests on a Linux x64 host that has a GPU but no Node.js and no network:
// .ffma/ffma-bundle, and .ffma/bundle/ffma-bundle.tar.xz of it. See docs/gpu-host.md.
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressors, filesByPart, pack } from './bundle/archive.mjs';
import { bundleContents, copyNode, partOf, writeContents } from './bundle/assemble.mjs';
import { compileKernels } from './bundle/compile-kernels.mjs';
import { bundleOptions, obstacle } from './bundle/options.mjs';
import { MIB, mib, sizeComplaint, sizeTable } from './bundle/sizes.mjs';
import { tryArchive } from './bundle/try-archive.mjs';
import { takeLock } from './lib/lock.mjs';
import { neededVersions, newest } from './lib/needed-versions.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/run.mjs';
import { step } from './lib/step.mjs';
import { which } from './lib/tools.mjs';

/** @typedef {import('./bundle/options.mjs').BundleOptions} BundleOptions */

const LIMIT = 60 * MIB;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a step that throws where it fails and may return a note; true where it succeeded.
 * @param {string} name
 * @param {() => string | void | Promise<string | void>} work
 */
const throwingStep = (name, work) =>
  step(name, async () => {
    try {
      const note = await work();
      return { code: 0, output: '', ...(note ? { note } : {}) };
    } catch (error) {
      return { code: 1, output: error instanceof Error ? error.message : String(error) };
    }
  });

/** Removes symbols, which only debuggers read. @param {string} file */
async function strip(file) {
  if (which('strip') === undefined) return { code: 0, output: '', note: 'no strip here' };
  const before = statSync(file).size;
  const result = await run('strip', [file]);
  return { ...result, note: `${mib(before)} to ${mib(statSync(file).size)}` };
}

/**
 * Lets the bundled Node.js read the scripts among the tests, which nothing compiles: it may be older than what their
 * author tried them with. @param {string} folder @param {readonly string[]} files of the bundle
 */
async function checkScripts(folder, files) {
  const scripts = files.filter((file) => /^packages\/[^/]+\/test\/.*\.m?js$/.test(file));
  for (const script of scripts) {
    const result = await run(join(folder, 'bin', 'node'), ['--check', join(folder, script)]);
    if (result.code !== 0) return result;
  }
  return { code: 0, output: '', note: `${scripts.length}` };
}

/** Commit that the workspace is at, `-dirty` where files differ from it; undefined where there is no git. */
function commit() {
  const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  const git = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return git.status === 0 ? git.stdout.trim() : undefined;
}

/** The oldest glibc that Node.js and the addons run with. @param {ReadonlyMap<string, string>} files */
function glibcOf(files) {
  const addons = [...files].filter(([place]) => place.endsWith('.node')).map(([, file]) => file);
  return newest([process.execPath, ...addons].map((file) => neededVersions(file).glibc));
}

/**
 * Makes the folder. Returns how its files are divided into parts; undefined where a step failed.
 * @param {string} folder
 * @param {readonly string[]} cubins
 */
async function makeFolder(folder, cubins) {
  /** @type {ReturnType<typeof bundleContents> | undefined} */
  let contents;
  await throwingStep('Copy packages and GPU tests', () => {
    const found = bundleContents(root);
    const made = { commit: commit(), node: process.versions.node, cubins, glibc: glibcOf(found.files) };
    writeContents(found, folder, made);
    contents = found;
    return `${found.files.size} files`;
  });
  if (contents === undefined) return undefined;
  const { files, kernelPackages, production } = contents;
  if (!(await throwingStep('Copy Node.js', () => copyNode(folder)))) return undefined;
  if (!(await step('Strip Node.js', () => strip(join(folder, 'bin', 'node'))))) return undefined;
  if (!(await step('Check scripts of tests', () => checkScripts(folder, [...files.keys()]))))
    return undefined;
  for (const place of cubins.length === 0 ? [] : kernelPackages) {
    const name = `Compile ${basename(place)}: ${['PTX', ...cubins].join(', ')}`;
    if (!(await step(name, () => compileKernels(folder, place, cubins)))) return undefined;
  }
  return filesByPart(folder, (file) => partOf(file, production));
}

/**
 * Packs the folder, lists what takes how much, and tries the archive.
 * @param {string} folder
 * @param {ReadonlyMap<string, readonly string[]>} parts
 * @param {BundleOptions['compressor']} name
 */
async function makeArchive(folder, parts, name) {
  const compressor = compressors[name];
  const archive = join(root, '.ffma', 'bundle', `ffma-bundle.tar${compressor.ending}`);
  // The last good one stays until the new one has shown that it runs.
  const untried = `${archive}.untried`;
  /** @type {import('./bundle/sizes.mjs').Part[]} */
  let sizes = [];
  const packed = await throwingStep(`Pack with ${name}`, async () => {
    sizes = await pack(folder, parts, untried, join(root, '.ffma', 'bundle-parts'), compressor);
  });
  if (!packed) return false;
  process.stdout.write(`${sizeTable(sizes).join('\n')}\n`);
  const complaint = sizeComplaint(sizes, LIMIT);
  if (complaint !== undefined) {
    rmSync(untried, { force: true });
    process.stdout.write(`\n${complaint}\n`);
    return false;
  }
  if (!(await step('Try it without Node.js on the PATH', () => tryArchive(untried)))) return false;
  renameSync(untried, archive);
  process.stdout.write(`\n${relative(process.cwd(), archive)}: ${mib(statSync(archive).size)}\n`);
  return true;
}

/** @param {BundleOptions} options */
async function bundle(options) {
  const { platform, arch } = process;
  const why = obstacle({ platform, arch, has: (program) => which(program) !== undefined }, options);
  if (why !== undefined) {
    process.stdout.write(`${why}\n`);
    return false;
  }
  const folder = resolve(options.folder ?? join(root, '.ffma', 'ffma-bundle'));
  /** @type {ReturnType<typeof takeLock>} */
  let lock;
  try {
    lock = takeLock(`${folder}.lock`);
  } catch (error) {
    process.stdout.write(`${folder} cannot be made: ${error instanceof Error ? error.message : error}\n`);
    return false;
  }
  if ('heldBy' in lock) {
    process.stdout.write(
      `Process ${lock.heldBy} is making a bundle in ${folder}: wait until it has ended.\n`,
    );
    return false;
  }
  try {
    if (options.build && !(await prepare(root))) return false;
    const parts = await makeFolder(folder, options.cubins);
    if (parts === undefined) return false;
    return options.folder !== undefined || (await makeArchive(folder, parts, options.compressor));
  } finally {
    lock.release();
  }
}

const options = bundleOptions(process.argv.slice(2));
if ('text' in options) {
  process.stdout.write(options.text);
  process.exit(options.code);
}
process.exit((await bundle(options)) ? 0 : 1);
