import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * A program that was found.
 * @typedef {{ name: string, path: string, version: string }} Tool
 */

/** Newest first; an older clang has no CUDA device compiler that the kernels are tested with. */
const CLANG_LEAST = 19;
const CLANG_NAMES = ['clang-22', 'clang-21', 'clang-20', 'clang-19', 'clang'];

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

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Tool | undefined>} */
export async function findNvcc(env = process.env) {
  const home = env.CUDA_HOME ?? env.CUDA_PATH;
  const path =
    env.NVCC !== undefined && env.NVCC !== ''
      ? which(env.NVCC, env)
      : (which('nvcc', env) ?? (home ? which(join(home, 'bin', 'nvcc')) : undefined));
  return path === undefined ? undefined : tool(path, /V(\d+\.\d+\.\d+)/, 'nvcc');
}

/**
 * A clang of version 19 or newer that can emit PTX.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Tool | undefined>}
 */
export async function findClang(env = process.env) {
  const names = env.FFMA_CLANG !== undefined && env.FFMA_CLANG !== '' ? [env.FFMA_CLANG] : CLANG_NAMES;
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
