import { findClang, findCmake, findCxx, findNvcc } from './tools.mjs';

/**
 * What this machine has, as far as building ffma goes.
 * @typedef {import('./tools.mjs').Tool} Tool
 * @typedef {{ node: string, nvcc?: Tool | undefined, clang?: Tool | undefined, cxx?: Tool | undefined, cmake?: Tool | undefined }} Found
 */

/**
 * One thing that is missing: `fatal` stops the build, otherwise something later will not work.
 * @typedef {{ what: string, fatal: boolean, use: string, remedy: string }} Missing
 */

const NODE_LEAST = /** @type {const} */ ([20, 19]);

/** @param {string} version */
function nodeIsNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1]);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Found>}
 */
export async function findTools(env = process.env) {
  const [nvcc, clang, cxx, cmake] = await Promise.all([
    findNvcc(env),
    findClang(env),
    findCxx(env),
    findCmake(env),
  ]);
  return { node: process.versions.node, nvcc, clang, cxx, cmake };
}

/**
 * Everything that is missing, at once, the fatal first.
 * @param {Found} found
 * @returns {Missing[]}
 */
export function missingTools(found) {
  /** @type {Missing[]} */
  const missing = [];
  if (!nodeIsNewEnough(found.node)) {
    missing.push({
      what: `Node.js ${NODE_LEAST.join('.')} or newer (this is ${found.node})`,
      fatal: true,
      use: 'runs everything here',
      remedy:
        'Debian 13: apt-get install -y nodejs npm. Debian 12, whose own is too old: ' +
        'curl -fsSL https://deb.nodesource.com/setup_22.x | bash - && apt-get install -y nodejs',
    });
  }
  if (found.nvcc === undefined && found.clang === undefined) {
    missing.push({
      what: 'a CUDA compiler (nvcc, or clang 19 or newer)',
      fatal: true,
      use: 'compiles the kernels to PTX; clang needs no CUDA toolkit',
      remedy: 'apt-get install -y clang-19 (in Debian 12 and newer)',
    });
  }
  if (found.cxx === undefined) {
    missing.push({
      what: 'a C++ compiler',
      fatal: found.nvcc !== undefined,
      use:
        found.nvcc === undefined
          ? 'for the native CUDA addon; all else works without it'
          : 'nvcc compiles nothing without a host compiler',
      remedy: 'apt-get install -y g++',
    });
  }
  if (found.cmake === undefined) {
    missing.push({
      what: 'cmake',
      fatal: false,
      use: 'for the native CUDA addon; all else works without it',
      remedy: 'apt-get install -y cmake',
    });
  }
  return missing.sort((x, y) => Number(y.fatal) - Number(x.fatal));
}
