import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files below a folder, sorted, with `/`; no `node_modules`, and no links.
 * @param {string} folder
 * @param {string} [prefix]
 * @returns {string[]}
 */
export function filesBelow(folder, prefix = '') {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .flatMap((entry) => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(folder, path);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

const LICENCE = /(^|\/)(licen[cs]e|copying|notice)[^/]*$/i;
/** What only people, type checkers and debuggers read. */
const READING = /(\.(map|md|markdown|tsbuildinfo)|\.d\.[cm]?ts)$/i;
const SOURCE = /\.([cm]?tsx?|flow)$/i;
const TESTS = /^(tests?|__tests__|docs|examples?|\.github)\//;

/** Built where the bundle is made; not published with the package, since it is for one platform. */
const ADDON = /^dist\/.*\.node$/;

/**
 * Parts of packages that nothing here loads and that are large.
 * @type {Record<string, RegExp>}
 */
const UNUSED = {
  // Its native programs, 90 MB; the emulator uses the library.
  binaryen: /^bin\//,
};

/**
 * Packages that are left out with all that only they need: vite loads them for style sheets, or on macOS; our addons
 * travel where the build put them.
 */
export const unusedPackages = new Set([
  ...['lightningcss', 'fsevents'],
  ...['@ffma/core-linux-x64', '@ffma/cublas-ref-linux-x64'],
]);

/**
 * Whether a file of an installed package travels. Licences always do.
 * @param {string} name of the package
 * @param {string} file relative to it
 */
export function keepsInstalled(name, file) {
  if (LICENCE.test(file)) return true;
  if (UNUSED[name]?.test(file)) return false;
  return !READING.test(file) && !SOURCE.test(file) && !TESTS.test(file);
}

/**
 * Matches what an entry of npm's field `files` matches: a file, a folder with all in it, or a pattern with `*`, `**`.
 * @param {string} entry
 */
export function filesEntry(entry) {
  const path = entry.replace(/^\.?\//, '').replace(/\/$/, '');
  const source = path
    .replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replaceAll(/\*\*\/|\*\*|\*/g, (star) => (star === '**/' ? '(?:.*/)?' : star === '**' ? '.*' : '[^/]*'));
  return new RegExp(`^${source}(?:/.*)?$`);
}

/**
 * Whether a file of one of our own packages travels: what would be published, and its native addon.
 * @param {readonly string[]} files the package's field `files`; later entries win
 * @param {string} file relative to the package
 */
export function keepsOwn(files, file) {
  if (file === 'package.json' || LICENCE.test(file) || ADDON.test(file)) return true;
  if (READING.test(file) || /\.test\.[cm]?[jt]s$/.test(file)) return false;
  let kept = false;
  for (const entry of files) {
    const banned = entry.startsWith('!');
    if (filesEntry(banned ? entry.slice(1) : entry).test(file)) kept = !banned;
  }
  return kept;
}
