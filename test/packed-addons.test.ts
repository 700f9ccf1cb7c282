import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, linesThatMention, type Packed, pack, userEnvironment } from './pack.js';
import { packages, platformPackages, root } from './workspace.js';

const target = mkdtempSync(join(tmpdir(), 'ffma-packed-addons-'));
afterAll(() => rmSync(target, { recursive: true, force: true }));

const ownerOf = (name: string) => name.replace(/-[^-]+-[^-]+$/, '');
const addonOf = ({ files = [] }: { readonly files?: readonly string[] }) =>
  files.find((file) => file.endsWith('.node')) as string;
const here = platformPackages.filter(
  ({ json }) => json.os?.includes(process.platform) && json.cpu?.includes(process.arch),
);
const isBuilt = ({ name, json }: (typeof here)[number]) =>
  existsSync(join(root, 'packages', ownerOf(name), 'dist', 'native', addonOf(json)));

describe.each(platformPackages)('package $name', ({ name, folder, json }) => {
  const owner = packages.find((each) => each.name === ownerOf(name));

  it('is an optional dependency of its package, of the same version', () => {
    expect(owner?.json.optionalDependencies).toMatchObject({ [json.name]: 'workspace:*' });
    expect(json.version).toBe(owner?.json.version);
  });

  it('runs no script when it is installed, and has a README and a licence', () => {
    expect(Object.keys(json.scripts ?? {})).toEqual(['prepack']);
    for (const file of ['README.md', 'LICENSE']) expect(existsSync(join(folder, file))).toBe(true);
  });
});

describe.runIf(here.length > 0 && here.every(isBuilt))(
  'installed from tarballs beside their packages',
  () => {
    const packed = new Map<string, Packed>();
    const user = join(target, 'user');
    const env = userEnvironment();
    const run = async (script: string): Promise<unknown> => {
      const args = [
        '--input-type=module',
        '--eval',
        `const print = (x) => console.log(JSON.stringify(x));${script}`,
      ];
      const { stdout } = await execute(process.execPath, args, { cwd: user, env });
      return JSON.parse(stdout);
    };

    beforeAll(async () => {
      const owners = packages.filter(({ name }) => here.some((each) => ownerOf(each.name) === name));
      for (const each of [...owners, ...here]) packed.set(each.name, await pack(each, target));
      mkdirSync(user);
      writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }');
      const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
      const tarballs = [...packed.values()].map(({ tarball }) => tarball);
      await execute('npm', ['install', ...quiet, ...tarballs], { cwd: user, env });
    }, 300_000);

    it('hold nothing else, and know nothing of the machine that packed them', () => {
      for (const { name, json } of here) {
        const own = packed.get(name) as Packed;
        expect([...own.files].sort()).toEqual(['LICENSE', 'README.md', addonOf(json), 'package.json']);
        expect(linesThatMention(own, [root, tmpdir()])).toEqual([]);
      }
    });

    it('are the addons that core loads', async () => {
      const report = await run(`
      import { cudaReport } from '@ffma/core/cuda';
      const { addon, driver } = cudaReport();
      print({ addon, driver: driver.available ? '' : driver.reason });`);
      expect(report).toMatchObject({
        addon: {
          available: true,
          path: expect.stringMatching(/\/node_modules\/@ffma\/core-[^/]+\/ffma\.node$/),
        },
        driver: expect.not.stringContaining('addon'),
      });
    });

    it('are the addons that cublas-ref loads', async () => {
      const attempts = await run(`
      import { findCublas } from '@ffma/cublas-ref';
      print((await findCublas()).attempts);`);
      expect(attempts).not.toContainEqual(expect.stringContaining('addon'));
    });
  },
);

it('an addon that is not built is not packed', async () => {
  const folder = join(target, 'unbuilt');
  mkdirSync(folder);
  const json = { name: '@x/unbuilt', os: [process.platform], cpu: [process.arch] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(json));
  const args = [join(root, 'platforms', 'prepack.mjs'), 'nowhere/ffma.node'];
  await expect(execute(process.execPath, args, { cwd: folder })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^@x\/unbuilt cannot be packed\. .*nowhere\/ffma\.node is not built\. Install/,
    ),
  });
});
