import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * A program that was found.
 * @typedef {{ name: string, path: string, version: string }} Tool
 */

/** The compile service of @ffma/core looks for the same names in the same order, and needs the same version. */
const CLANG_NAMES = ['clang-19', 'clang-20', 'clang-21', 'clang-22', 'clang'];
const CLANG_LEAST = 17;

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Full path of a program, by the rules of a shell.
 * @param {string} name a bare name, or a path
 * @param {NodeJS.ProcessEnv} env
 */
export function which(name, env = process.env) {
  if (name.includes('/')) return isProgram(name) ? name : undefined;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** @param {string} path @param {string[]} args @returns {Promise<string>} '' where it cannot run */
function ask(path, args) {
  return new Promise((resolve) => {
    execFile(path, args, { timeout: 20_000 }, (error, stdout) => resolve(error === null ? stdout : ''));
  });
}

/** @param {string} path @param {RegExp} pattern first group is the version @param {string} name */
async function tool(path, pattern, name) {
  const version = pattern.exec(await ask(path, ['--version']))?.[1];
  return version === undefined ? undefined : { name, path, version };
}

/**
 * nvcc by `NVCC`, `CUDA_HOME`, `CUDA_PATH` or PATH, in that order.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Tool | undefined>}
 */
export async function findNvcc(env = process.env) {
  const homes = [env.CUDA_HOME, env.CUDA_PATH].filter(Boolean).map((home) => join(home ?? '', 'bin', 'nvcc'));
  const names = env.NVCC ? [env.NVCC] : [...homes, 'nvcc'];
  const path = names.map((name) => which(name, env)).find((found) => found !== undefined);
  return path === undefined ? undefined : tool(path, /V(\d+\.\d+\.\d+)/, 'nvcc');
}

/**
 * clang by `FFMA_CLANG`, else the first on the PATH that is new enough and can emit PTX.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Tool | undefined>}
 */
export async function findClang(env = process.env) {
  const names = env.FFMA_CLANG ? [env.FFMA_CLANG] : CLANG_NAMES;
  for (const name of names) {
    const path = which(name, env);
    const found = path && (await tool(path, /clang version (\d+\.\d+\.\d+)/, 'clang'));
    if (!found || Number.parseInt(found.version, 10) < CLANG_LEAST) continue;
    if (/\bnvptx64\b/.test(await ask(found.path, ['--print-targets']))) return found;
  }
  return undefined;
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Tool | undefined>} */
export async function findCxx(env = process.env) {
  for (const name of [env.CXX, 'g++', 'c++', 'clang++']) {
    const path = name ? which(name, env) : undefined;
    const found = path && (await tool(path, /(\d+\.\d+\.\d+)/, name ?? ''));
    if (found) return found;
  }
  return undefined;
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Tool | undefined>} */
export async function findCmake(env = process.env) {
  const path = which('cmake', env);
  return path === undefined ? undefined : tool(path, /version (\d+\.\d+\.\d+)/, 'cmake');
}
