// Puts a built addon into the package of this platform, before that is packed: prepack.mjs <addon>. The package's own
// folder is the current one. Nothing of this runs where the package is installed.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { neededVersions } from '../scripts/lib/needed-versions.mjs';

const addon = resolve(process.argv[2] ?? '');
const { name, os, cpu } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Why the addon here cannot be published, as a sentence; undefined where it can. */
function obstacle() {
  const { platform, arch } = process;
  if (!os.includes(platform) || !cpu.includes(arch))
    return `It is packed on ${os}-${cpu}, but this is ${platform}-${arch}.`;
  if (!existsSync(addon))
    return `${addon} is not built. Install cmake, make and g++ (apt-get install -y cmake make g++), then npm start.`;
  if (neededVersions(addon).libraries.some((library) => library.startsWith('libstdc++')))
    return `${addon} needs the libstdc++ of this system: install the compiler's static libstdc++, then npm start.`;
  return undefined;
}

const why = obstacle();
if (why === undefined) copyFileSync(addon, basename(addon));
else {
  process.stderr.write(`${name} cannot be packed. ${why}\n`);
  process.exit(1);
}
