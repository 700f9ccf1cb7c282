import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { filesBelow } from './contents.mjs';

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew\s+URL\s*\(\s*)(['"])(\.{1,2}\/[^'"\n]*)\1(?!\s*\+)/g;

/**
 * Relative paths that a module names: what it imports, and what it opens by `new URL('./x', import.meta.url)`.
 * @param {string} text
 */
export function namedPaths(text) {
  const code = text.replaceAll(/^\s*(import|export) type\s[^;]*;/gm, '');
  return [...new Set([...code.matchAll(SPECIFIER)].map((match) => /** @type {string} */ (match[2])))];
}

/**
 * The file, or the files of the folder, that a relative path of a module means. TypeScript names what it will be
 * compiled to: `./x.js` is `./x.ts`.
 * @param {string} module
 * @param {string} path
 */
function meant(module, path) {
  const exact = resolve(dirname(module), path);
  const found = [exact, exact.replace(/\.([cm]?)js$/, '.$1ts')].find((each) => existsSync(each));
  if (found === undefined) return [];
  // A package's own folder, or the workspace's, is how a test finds its way, not data that it reads.
  if (existsSync(join(found, 'package.json'))) return [];
  return statSync(found).isDirectory() ? filesBelow(found).map((file) => join(found, file)) : [found];
}

/**
 * Modules, and all that they name by relative paths, directly or not.
 * @param {readonly string[]} modules absolute paths
 * @returns {Set<string>} absolute paths
 */
export function reachable(modules) {
  const reached = new Set(modules);
  for (const module of reached) {
    if (!/\.[cm]?[jt]s$/.test(module) || module.endsWith('.d.ts')) continue;
    for (const path of namedPaths(readFileSync(module, 'utf8'))) {
      for (const file of meant(module, path)) reached.add(file);
    }
  }
  return reached;
}

/** @param {string} file relative to a package */
const isGpuTest = (file) => file.startsWith('test/gpu/') && file.endsWith('.test.ts');

/**
 * The GPU tests of packages and what they need beside built packages: everything else below `test/`, since data is
 * found by names made at run time, and the modules that they reach outside of it.
 * @param {string} root
 * @param {readonly string[]} folders of packages, absolute
 * @returns {string[]} paths relative to the root, sorted; none of packages without GPU tests
 */
export function gpuTestFiles(root, folders) {
  /** @type {Set<string>} */
  const files = new Set();
  for (const folder of folders) {
    const own = existsSync(join(folder, 'test'))
      ? filesBelow(folder).filter((f) => f.startsWith('test/'))
      : [];
    const tests = own.filter(isGpuTest);
    if (tests.length === 0) continue;
    for (const file of own.filter((each) => isGpuTest(each) || !/\.test\.ts$/.test(each)))
      files.add(join(folder, file));
    for (const file of reachable(tests.map((each) => join(folder, each)))) files.add(file);
  }
  const inside = [...files].filter((file) => !/(^|\/)(dist|node_modules)\//.test(relative(root, file)));
  return inside.map((file) => relative(root, file).split(sep).join('/')).sort();
}
