import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packages, readPackageJson, root } from './workspace.js';

const workspace = readPackageJson(root);

/** What each package may depend on, in the workspace; development included. No arrow points back. */
const arrows: Record<string, readonly string[]> = {
  core: ['core-linux-x64'],
  emulator: ['core'],
  verify: ['core'],
  'kernels-cudacore': ['core', 'emulator', 'verify'],
  'kernels-hopper': ['core', 'emulator', 'verify'],
  streamk: ['core', 'emulator', 'verify'],
  'cublas-ref': ['core', 'cublas-ref-linux-x64', 'verify'],
  bench: ['core', 'emulator', 'verify'],
};

describe('workspace', () => {
  it('runs the pnpm that it pins', () => {
    expect(`pnpm@${workspace.devDependencies?.pnpm}`).toBe(workspace.packageManager);
  });

  it('depends on every package, so that commands at the root find all kernels', () => {
    expect(Object.keys(workspace.dependencies ?? {}).sort()).toEqual(
      packages.map(({ json }) => json.name).sort(),
    );
  });
});

describe.each(packages)('package $name', ({ name, folder, json }) => {
  it('is ESM only, free of side effects, licensed, for Node 20.19 and up', () => {
    expect(json).toMatchObject({
      name: `@ffma/${name}`,
      license: 'MIT',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20.19' },
    });
    expect(json.description).toMatch(/\w/);
    expect(json.files).toEqual(expect.arrayContaining(['dist', 'README.md', 'LICENSE']));
    expect(existsSync(join(folder, 'LICENSE'))).toBe(true);
  });

  it('runs no script when it is installed', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
    expect(Object.keys(json.scripts ?? {}).filter((script) => hooks.includes(script))).toEqual([]);
  });

  it('has the tasks that the workspace runs', () => {
    expect(Object.keys(json.scripts ?? {})).toEqual(
      expect.arrayContaining(['build', 'typecheck', 'lint', 'test']),
    );
  });

  it('depends in one direction', () => {
    const all = {
      ...json.dependencies,
      ...json.devDependencies,
      ...json.peerDependencies,
      ...json.optionalDependencies,
    };
    const own = Object.keys(all).filter((dependency) => dependency.startsWith('@ffma/'));
    const allowed = arrows[name]?.map((dependency) => `@ffma/${dependency}`);
    expect(own.filter((dependency) => !allowed?.includes(dependency))).toEqual([]);
  });

  it('takes workspace packages by a caret range and shared tools from the catalog', () => {
    const all = { ...json.dependencies, ...json.devDependencies };
    const ranges = Object.entries(all).map(([dependency, range]) => [dependency.startsWith('@ffma/'), range]);
    for (const [own, range] of ranges) expect(range).toBe(own ? 'workspace:^' : 'catalog:');
  });
});
