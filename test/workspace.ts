import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Folder of the repository. */
export const root = dirname(import.meta.dirname);

/** What these tests read of a package.json. */
export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly description?: string;
  readonly type?: string;
  readonly sideEffects?: unknown;
  readonly engines?: Record<string, string>;
  readonly files?: readonly string[];
  readonly bin?: Record<string, string>;
  readonly exports?: Record<string, string | Record<string, string>>;
  readonly scripts?: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly packageManager?: string;
  readonly ffma?: { readonly kernels?: string };
}

/** A package of the workspace. */
export interface WorkspacePackage {
  /** Folder name: `core`. */
  readonly name: string;
  readonly folder: string;
  readonly json: PackageJson;
}

export function readPackageJson(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;
}

function packagesIn(group: string): WorkspacePackage[] {
  return readdirSync(join(root, group))
    .map((name) => ({ name, folder: join(root, group, name) }))
    .filter(({ folder }) => existsSync(join(folder, 'package.json')))
    .map(({ name, folder }) => ({ name, folder, json: readPackageJson(folder) }));
}

export const packages = packagesIn('packages');

/** Addons as they are published, one package a platform. */
export const platformPackages = packagesIn('platforms');

/** Packages that hold kernels of their own: those that say where, in `ffma.kernels`, and are no library's. */
export const kernelPackages = packages.filter(
  ({ folder, json }) => json.ffma?.kernels !== undefined && existsSync(join(folder, 'kernels')),
);

/** Markdown files below a folder, relative to the root; what is built, installed or hidden is left out. */
export function markdownPages(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return entry.name.endsWith('.md') ? [relative(root, path)] : [];
    const skipped = entry.name.startsWith('.') || ['node_modules', 'dist', 'coverage'].includes(entry.name);
    return entry.isDirectory() && !skipped ? markdownPages(path) : [];
  });
}
