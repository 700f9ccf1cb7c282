import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';

const ADDON = /^dist\/native\/[^/]+\.node$/;

/**
 * Which packages have sources of an addon, but none that was built: the build leaves it out, with a sentence, where a
 * tool is missing, and what is made of the workspace then would do without the GPU.
 * @param {readonly { place: string, folder: string }[]} packages `place` in the bundle, `folder` in the workspace
 * @param {(file: string) => boolean} has whether the bundle has a file
 * @param {(folder: string) => readonly string[]} filesOf
 * @returns {string | undefined} what is missing and how to get it; undefined where nothing is
 */
export function addonComplaint(packages, has, filesOf) {
  const without = packages
    .filter(({ folder }) => existsSync(join(folder, 'CMakeLists.txt')))
    .filter(
      ({ place, folder }) => !filesOf(folder).some((file) => ADDON.test(file) && has(`${place}/${file}`)),
    );
  if (without.length === 0) return undefined;
  return (
    `The bundle would have no CUDA: ${without.map(({ place }) => place).join(' and ')} has no addon in dist/native. ` +
    'Install cmake, make and g++ (Debian: apt-get install -y cmake make g++), then npm run bundle, ' +
    'without --no-build.'
  );
}

/** In a bundle: loads the addon of each package that has one, and prints what keeps one from loading. */
const LOAD = `
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(process.cwd() + '/');
let loaded = 0;
for (const name of readdirSync('packages')) {
  let files = [];
  try { files = readdirSync('packages/' + name + '/dist/native'); } catch {}
  for (const file of files.filter((each) => each.endsWith('.node'))) {
    require('./packages/' + name + '/dist/native/' + file);
    loaded++;
  }
}
const { cudaReport } = await import('@ffma/core/cuda');
const { addon } = cudaReport();
if (!addon.available) throw new Error(addon.reason);
console.log(loaded);
`;

/**
 * Loads the addons of an unpacked bundle by its own Node.js. None needs a GPU to load.
 * @param {string} bundle folder
 * @param {NodeJS.ProcessEnv} env
 */
export async function tryAddons(bundle, env) {
  const args = ['--input-type=module', '--eval', LOAD];
  const { code, output } = await run(join(bundle, 'bin', 'node'), args, { cwd: bundle, env });
  return { code, output: code === 0 ? output : `Its addons do not load.\n${output}` };
}
