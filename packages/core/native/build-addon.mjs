// Builds native addons to dist/native, by cmake-js: core's, and those of packages that stand on core.
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/**
 * A package with a CMakeLists.txt whose targets are addons.
 * @typedef {{ root: string, title: string, without: string }} Addon
 * `root`: folder of the package. `title`: how the addon is called at the beginning of a sentence. `without`: what works
 * where it cannot be built, as a sentence.
 */

/** @param {string} name */
function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What keeps the addon from being built, as one sentence; undefined where nothing does. */
function obstacle() {
  if (process.platform !== 'linux') return `it is for Linux, but this is ${process.platform}`;
  /** @type {[what: string, names: string[]][]} */
  const needed = [
    ['cmake', ['cmake']],
    ['a C++ compiler', process.env.CXX ? [process.env.CXX] : ['c++', 'g++', 'clang++']],
    ['make or ninja', ['ninja', 'make']],
  ];
  const missing = needed.filter(([, names]) => !names.some((name) => existsSync(name) || isOnPath(name)));
  return missing.length === 0 ? undefined : `${missing.map(([what]) => what).join(' and ')} not found`;
}

/**
 * A build folder remembers paths and compilers, so one that was made otherwise is made anew.
 * @param {string} root of the package
 * @param {string} work the folder
 */
function prepareFolder(root, work) {
  const toolchain = join(root, '..', '..', '.toolchain.json');
  const tools = existsSync(toolchain) ? readFileSync(toolchain, 'utf8') : '';
  const key = JSON.stringify([root, process.env.CXX ?? null, process.env.CXXFLAGS ?? null, tools]);
  const stamp = join(work, 'made-by.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(stamp, key);
}

/**
 * @param {Addon} addon
 * @returns {number} exit code
 */
function build({ root, title }) {
  const work = join(root, '.ffma', 'native');
  const built = join(root, 'dist', 'native');
  prepareFolder(root, work);
  const cmakeJs = join(
    dirname(createRequire(import.meta.url).resolve('cmake-js/package.json')),
    'bin',
    'cmake-js',
  );
  const args = [cmakeJs, 'build', '--out', work, '--directory', root, '--log-level', 'error'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) {
    process.stdout.write(`${stdout}${stderr}\n${title} could not be built.\n`);
    return status ?? 1;
  }
  if (/warning:/.test(stdout + stderr)) process.stdout.write(`${stdout}${stderr}`);
  mkdirSync(built, { recursive: true });
  const made = readdirSync(join(work, 'Release')).filter((file) => file.endsWith('.node'));
  for (const file of made) {
    // A process may have the old one loaded, so that is replaced, not written to.
    copyFileSync(join(work, 'Release', file), join(built, `${file}.new`));
    renameSync(join(built, `${file}.new`), join(built, file));
  }
  return 0;
}

/**
 * Builds an addon. Where a tool is missing, it says so and builds nothing.
 * @param {Addon} addon
 * @returns {number} exit code
 */
export function buildAddon(addon) {
  const reason = obstacle();
  if (reason === undefined) return build(addon);
  process.stdout.write(`${addon.title} is not built: ${reason}. ${addon.without}\n`);
  return 0;
}
