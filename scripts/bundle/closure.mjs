import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * An installed package.
 * @typedef {{ name: string, folder: string, json: PackageJson }} Package `folder` is real, no link
 * @typedef {{ name?: string, version?: string, files?: string[], os?: string[], cpu?: string[], libc?: string[],
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   scripts?: Record<string, string>, ffma?: { kernels?: string } }} PackageJson
 */

/** @param {string} folder @returns {PackageJson} */
export const readPackageJson = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * The package that `name` means in files of a folder, found as Node does.
 * @param {string} name
 * @param {string} from
 * @returns {Package | undefined}
 */
export function findPackage(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) {
      const real = realpathSync(candidate);
      return { name, folder: real, json: readPackageJson(real) };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Whether npm's field `os`, `cpu` or `libc` admits a value: `!x` bans x, anything else is a list of all that fits.
 * @param {string[] | undefined} field
 * @param {string} value
 */
export function admits(field, value) {
  if (field === undefined || field.length === 0) return true;
  if (field.includes(`!${value}`)) return false;
  return field.every((each) => each.startsWith('!')) || field.includes(value);
}

/** @param {PackageJson} json */
const runsHere = ({ os, cpu, libc }) =>
  admits(os, process.platform) && admits(cpu, process.arch) && admits(libc, 'glibc');

/**
 * What a package needs in order to run: its dependencies, and those optional ones that are installed and made for
 * this platform.
 * @param {Package} dependent
 * @param {ReadonlySet<string>} without names that are left out wherever they occur
 * @returns {Package[]} by name
 */
function needs({ name, folder, json }, without) {
  const optional = json.optionalDependencies ?? {};
  const names = Object.keys({ ...json.dependencies, ...optional }).filter((each) => !without.has(each));
  return names.sort().flatMap((needed) => {
    const found = findPackage(needed, folder);
    if (found === undefined && !(needed in optional)) {
      throw new Error(`${name} needs ${needed}, which is not installed: run npm start, then try again.`);
    }
    return found !== undefined && runsHere(found.json) ? [found] : [];
  });
}

/** @param {string} place @param {string} name */
const below = (place, name) => (place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`);

/**
 * Where in a folder tree packages are put so that each finds the versions it finds now: at the top
 * (`node_modules/zod`), or, where another version is there already, below the package that needs it.
 * @param {readonly Package[]} roots what the top itself needs; they and all they need are placed, in this order
 * @param {{ placeOf?: (found: Package) => string | undefined, without?: ReadonlySet<string> }} [options]
 *   `placeOf` gives a package a place of its own, which a link at the top then leads to
 * @returns {Map<string, Package>} by place
 */
export function placePackages(roots, { placeOf = () => undefined, without = new Set() } = {}) {
  /** @type {Map<string, Package>} */
  const placed = new Map();
  /** @type {Map<string, string>} folder that a path in a node_modules stands for, by that path */
  const seen = new Map();

  /** What `name` would mean at a place. @param {string} place @param {string} name */
  function resolved(place, name) {
    for (let at = place; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
      const folder = seen.get(below(at, name));
      if (folder !== undefined || at === '') return folder;
    }
  }

  const queue = roots.map((found) => ({ place: '', found }));
  for (const { place, found } of queue) {
    const known = resolved(place, found.name);
    if (known === found.folder) continue;
    const entry = below(known === undefined ? '' : place, found.name);
    seen.set(entry, found.folder);
    const target = placeOf(found) ?? entry;
    if (placed.has(target)) continue;
    placed.set(target, found);
    queue.push(...needs(found, without).map((needed) => ({ place: target, found: needed })));
  }
  return placed;
}
