import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** @param {string} path @returns {Record<string, any>} */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Folders of the workspace that have a package.json, the root first. @param {string} root */
function packageFolders(root) {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  return [root, ...folders.filter((folder) => existsSync(join(folder, 'package.json')))];
}

/**
 * Digest of all that decides what an installation looks like.
 * @param {string} root
 */
export function installDigest(root) {
  const hash = createHash('sha256').update(
    `${process.platform} ${process.arch} ${process.versions.modules}\n`,
  );
  const files = [join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml')];
  for (const file of [...files, ...packageFolders(root).map((folder) => join(folder, 'package.json'))]) {
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Whether every direct dependency of every package is there; a link to nothing is not. @param {string} root */
function linksAreThere(root) {
  return packageFolders(root).every((folder) => {
    const { dependencies = {}, devDependencies = {} } = readJson(join(folder, 'package.json'));
    return Object.keys({ ...dependencies, ...devDependencies }).every((name) =>
      existsSync(join(folder, 'node_modules', name, 'package.json')),
    );
  });
}

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules', '.ffma-installed');

/** Whether `install` would change nothing. @param {string} root */
export function isInstalled(root) {
  const stamp = stampPath(root);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === installDigest(root) && linksAreThere(root);
}

/** `pnpm@10.34.8`, from the root's package.json. @param {string} root @returns {string} */
export const packageManager = (root) => readJson(join(root, 'package.json')).packageManager;

/**
 * Installs what the lockfile says, with the pinned pnpm; takes from its store what is there already.
 * @param {string} root
 */
export async function install(root) {
  if (isInstalled(root)) return { code: 0, output: '', note: 'up to date' };
  const args = ['--yes', packageManager(root), 'install', '--frozen-lockfile', '--prefer-offline'];
  const result = await run('npx', args, { cwd: root, env: { CI: 'true' } });
  if (result.code === 0) writeFileSync(stampPath(root), installDigest(root));
  return result;
}
