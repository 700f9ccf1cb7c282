import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { addonComplaint } from './addons.mjs';
import { findPackage, placePackages, readPackageJson } from './closure.mjs';
import { filesBelow, keepsInstalled, keepsOwn, unusedPackages } from './contents.mjs';
import { gpuTestFiles, reachable } from './gpu-tests.mjs';
import { launchers } from './launchers.mjs';

/** @typedef {import('./closure.mjs').Package} Package */

/** What runs the GPU tests. */
const TEST_RUNNER = ['vite', 'vitest'];

/**
 * @param {string} root
 * @param {string} from absolute
 */
const inTree = (root, from) => relative(root, from).split(sep).join('/');

/**
 * All that a bundle of a built workspace holds, but for Node.js and the kernels that are compiled into it.
 * @param {string} root of the workspace
 */
export function bundleContents(root) {
  const { dependencies = {} } = readPackageJson(root);
  /** @param {string} name */
  const installed = (name) => {
    const found = findPackage(name, root);
    if (found === undefined) throw new Error(`${name} is not installed: run npm start, then try again.`);
    return found;
  };
  /** @param {Package} found */
  const placeOf = ({ folder }) => {
    const place = inTree(root, folder);
    return /^packages\/[^/]+$/.test(place) ? place : undefined;
  };
  const own = Object.keys(dependencies).sort().map(installed);
  const options = { placeOf, without: unusedPackages };
  const production = placePackages(own, options);
  const packages = placePackages([...own, ...TEST_RUNNER.map(installed)], options);

  /** @type {Map<string, string>} absolute path of each file, by its path in the bundle */
  const files = new Map();
  for (const [place, { name, folder, json }] of packages) {
    const isOwn = placeOf({ name, folder, json }) !== undefined;
    for (const file of filesBelow(folder)) {
      if (isOwn ? keepsOwn(json.files ?? [], file) : keepsInstalled(name, file))
        files.set(`${place}/${file}`, join(folder, file));
    }
  }
  const ours = [...packages].filter(([, found]) => placeOf(found) !== undefined);
  for (const file of gpuTestFiles(
    root,
    ours.map(([, { folder }]) => folder),
  ))
    files.set(file, join(root, file));
  const complaint = addonComplaint(
    ours.map(([place, { folder }]) => ({ place, folder })),
    (file) => files.has(file),
    filesBelow,
  );
  if (complaint !== undefined) throw new Error(complaint);
  const scripts = ['test-gpu.mjs', 'record.mjs'].map((name) => join(root, 'scripts', name));
  for (const file of reachable(scripts)) files.set(inTree(root, file), file);

  return {
    files,
    /** Links: from a path in `node_modules` to a path in the bundle. @type {Map<string, string>} */
    links: new Map(ours.map(([place, { name }]) => [`node_modules/${name}`, place])),
    /** Versions of the packages that commands at the top of the bundle find, by name. */
    versions: Object.fromEntries(own.map(({ name, json }) => [name, json.version ?? '0.0.0'])),
    /** Places of packages whose kernels the build compiled. */
    kernelPackages: ours
      .map(([place]) => place)
      .filter((place) => files.has(`${place}/dist/kernels/manifest.json`)),
    /** Places of packages that `ffma` needs, as opposed to the tests. */
    production: new Set(production.keys()),
  };
}

/**
 * Which part of the bundle a file belongs to, for the list of sizes.
 * @param {string} file
 * @param {ReadonlySet<string>} production places
 */
export function partOf(file, production) {
  if (file === 'bin/node' || file.startsWith('licences/')) return 'Node.js';
  if (/^packages\/[^/]+\/dist\/kernels\//.test(file)) return 'kernels';
  if (/^packages\/[^/]+\/(test|src)\//.test(file)) return 'GPU tests';
  if (file.startsWith('packages/')) return 'packages';
  if (!file.startsWith('node_modules/')) return 'scripts';
  return [...production].some((place) => file.startsWith(`${place}/`)) ? 'dependencies' : 'test runner';
}

/**
 * Writes contents to a folder. An older bundle there is removed first; anything else is not.
 * @param {ReturnType<typeof bundleContents>} contents
 * @param {string} folder
 * @param {object} made what it was made from, for `bundle.json`
 */
export function writeContents({ files, links, versions }, folder, made) {
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'bundle.json')))
    throw new Error(`${folder} holds something that is no bundle: name an empty folder, or a new one.`);
  rmSync(folder, { recursive: true, force: true });
  /** @param {string} path */
  const target = (path) => {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  /** @param {string} path @param {object} json */
  const writeJson = (path, json) => writeFileSync(target(path), `${JSON.stringify(json, null, 2)}\n`);
  writeJson('bundle.json', made);
  for (const [path, from] of files) {
    copyFileSync(from, target(path));
    chmodSync(join(folder, path), statSync(from).mode & 0o111 ? 0o755 : 0o644);
  }
  for (const [path, to] of links) symlinkSync(relative(dirname(path), to), target(path));
  for (const [path, text] of Object.entries(launchers)) writeFileSync(target(path), text, { mode: 0o755 });
  const json = { name: 'ffma-bundle', private: true, type: 'module', dependencies: versions };
  writeJson('package.json', json);
}

/** Where distributions of Node.js put its licence, relative to the folder above `bin`. */
const NODE_LICENCES = ['LICENSE', 'share/doc/nodejs/LICENSE', 'share/doc/nodejs/copyright'];

/**
 * Copies the Node.js that runs this, with its licence.
 * @param {string} folder of the bundle
 */
export function copyNode(folder) {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(process.execPath, join(folder, 'bin', 'node'));
  chmodSync(join(folder, 'bin', 'node'), 0o755);
  const prefix = dirname(dirname(process.execPath));
  const licence = NODE_LICENCES.map((file) => join(prefix, file)).find((file) => existsSync(file));
  if (licence === undefined) return;
  mkdirSync(join(folder, 'licences'), { recursive: true });
  copyFileSync(licence, join(folder, 'licences', 'node.txt'));
}
