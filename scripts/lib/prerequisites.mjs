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

const NATIVE = 'builds the native CUDA addon; everything else works without';

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
  const only = env.FFMA_CUDA_COMPILER;
  return {
    node: process.versions.node,
    nvcc: only === 'clang' ? undefined : nvcc,
    clang: only === 'nvcc' ? undefined : clang,
    cxx,
    cmake,
  };
}

/**
 * The compiler that the kernels will be built with: nvcc, which needs a host compiler, else clang.
 * @param {Found} found
 */
export const cudaCompiler = ({ nvcc, clang, cxx }) =>
  nvcc !== undefined && cxx !== undefined ? nvcc : clang;

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
      what: 'a CUDA compiler (nvcc, or clang)',
      fatal: true,
      use: 'compiles the kernels to PTX; clang needs no CUDA toolkit',
      remedy: 'apt-get install -y clang-19 (in Debian 12 and newer)',
    });
  }
  if (found.cxx === undefined) {
    const fatal = found.nvcc !== undefined && cudaCompiler(found) === undefined;
    missing.push({
      what: 'a C++ compiler',
      fatal,
      use: fatal ? 'nvcc compiles nothing without it' : NATIVE,
      remedy: 'apt-get install -y g++',
    });
  }
  if (found.cmake === undefined) {
    missing.push({
      what: 'cmake',
      fatal: false,
      use: NATIVE,
      remedy: 'apt-get install -y cmake',
    });
  }
  return missing.sort((x, y) => Number(y.fatal) - Number(x.fatal));
}
