// Builds the native addon to dist/native. Where cmake or a C++ compiler is missing it says so and builds nothing: the
// package works without, but for calling cuBLAS.
import { execFile } from 'node:child_process';
import { accessSync, constants, copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const folder = dirname(import.meta.dirname);

/** @param {string} name */
function onPath(name) {
  const candidates = name.includes('/')
    ? [name]
    : (process.env.PATH ?? '').split(delimiter).map((each) => join(each, name));
  return candidates.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function missingTools() {
  const compilers = [process.env.CXX, 'c++', 'g++', 'clang++'].filter((name) => name !== undefined);
  const missing = [];
  if (!onPath('cmake')) missing.push('cmake');
  if (!compilers.some(onPath)) missing.push('a C++ compiler');
  return missing;
}

async function build() {
  const core = dirname(require.resolve('@ffma/core/package.json'));
  const cmakeJs = require.resolve('cmake-js/bin/cmake-js');
  const args = [cmakeJs, 'compile', '--CDFFMA_CORE', core];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1 << 26 });
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`cmake-js failed:\n${stdout ?? ''}\n${stderr ?? error}`);
  }
  const target = join(folder, 'dist', 'native', 'ffma_cublas.node');
  mkdirSync(dirname(target), { recursive: true });
  // A running process may have the old one mapped: it keeps its file, and the name gets a new one.
  copyFileSync(join(folder, 'build', 'Release', 'ffma_cublas.node'), `${target}.new`);
  renameSync(`${target}.new`, target);
}

const missing = missingTools();
if (process.platform !== 'linux') console.log('The cuBLAS addon is built on Linux only.');
else if (missing.length > 0)
  console.log(`The cuBLAS addon is not built: ${missing.join(' and ')} is missing.`);
else await build();
