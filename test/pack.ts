import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type PackageJson, readPackageJson, root, type WorkspacePackage } from './workspace.js';

export const execute = promisify(execFile);

/** A package as it would be published. */
export interface Packed {
  readonly tarball: string;
  /** Folder with its unpacked contents. */
  readonly folder: string;
  readonly json: PackageJson;
  /** Paths in it. */
  readonly files: readonly string[];
  /** Size of the tarball. */
  readonly bytes: number;
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Packs a package into a folder, with pnpm, as publishing does, and unpacks it beside. */
export async function pack({ name, folder }: WorkspacePackage, target: string): Promise<Packed> {
  const out = join(target, name);
  mkdirSync(join(out, 'unpacked'), { recursive: true });
  const pnpm = join(root, 'node_modules', '.bin', 'pnpm');
  await execute(pnpm, ['pack', '--pack-destination', out], { cwd: folder });
  const tarball = join(out, readdirSync(out).find((file) => file.endsWith('.tgz')) as string);
  await execute('tar', ['-xzf', tarball, '-C', join(out, 'unpacked'), '--strip-components=1']);
  const unpacked = join(out, 'unpacked');
  return {
    tarball,
    folder: unpacked,
    json: readPackageJson(unpacked),
    files: filesOf(unpacked),
    bytes: statSync(tarball).size,
  };
}

/** Lines of a package's text files that mention a folder of this machine, as `file: line`. */
export function linesThatMention({ folder, files }: Packed, paths: readonly string[]): string[] {
  return files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => paths.some((path) => line.includes(path)))
      .map((line) => `${file}: ${line.slice(0, 120)}`),
  );
}

/** An environment with Node and the usual programs, but no compiler and nothing of the workspace. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const { NODE_PATH: _, NODE_OPTIONS: __, ...env } = process.env;
  const kept = Object.entries(env).filter(([name]) => !/^(npm_|pnpm_|FFMA_|VITEST)/i.test(name));
  return { ...Object.fromEntries(kept), PATH: folders.join(delimiter) };
}
