import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';
import { which } from '../lib/tools.mjs';
import { tryAddons } from './addons.mjs';

/** The programs that launchers and tar use; a GPU host has them. */
const PROGRAMS = ['sh', 'dirname', 'readlink', 'tar', 'xz', 'gzip'];

/**
 * A host as a bundle finds it: an empty folder outside the workspace, and an environment with nothing but a PATH that
 * has the usual programs and no Node.js. Undefined variables are those of this process that are hidden.
 * @returns {{ folder: string, env: NodeJS.ProcessEnv, remove: () => void }}
 */
export function bareHost() {
  const folder = mkdtempSync(join(tmpdir(), 'ffma-bundle-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of PROGRAMS) {
    const path = which(name);
    if (path !== undefined) symlinkSync(path, join(bin, name));
  }
  const hidden = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return {
    folder,
    env: { ...hidden, PATH: bin, HOME: folder },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What a bundle is tried with: neither needs a GPU. */
const COMMANDS = [
  ['ffma-bundle/bin/ffma', 'list'],
  ['ffma-bundle/bin/ffma', 'profile', 'all', '--sizes', '4096', '--dry-run'],
  ['ffma-bundle/bin/test-gpu', '--list'],
  ['ffma-bundle/bin/record', '--list'],
];

/**
 * Unpacks an archive as a GPU host would and runs it there, up to the first command that fails.
 * @param {string} archive
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function tryArchive(archive) {
  const { folder, env, remove } = bareHost();
  try {
    const unpacked = await run('tar', ['-xf', archive, '-C', folder], { env });
    if (unpacked.code !== 0) return unpacked;
    const addons = await tryAddons(join(folder, 'ffma-bundle'), env);
    if (addons.code !== 0) return addons;
    for (const [program = '', ...args] of COMMANDS) {
      const result = await run(join(folder, program), args, { cwd: folder, env });
      if (result.code !== 0) return { ...result, output: `${program} ${args.join(' ')}\n${result.output}` };
    }
    return { code: 0, output: '' };
  } finally {
    remove();
  }
}
