import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, linesThatMention, type Packed, pack, userEnvironment } from './pack.js';
import { packages, root } from './workspace.js';

const target = mkdtempSync(join(tmpdir(), 'ffma-packed-'));
const packed = new Map<string, Packed>();
const of = (name: string) => packed.get(name) as Packed;

beforeAll(async () => {
  for (const each of packages) packed.set(each.name, await pack(each, target));
}, 120_000);
afterAll(() => rmSync(target, { recursive: true, force: true }));

describe.each(packages)('$json.name, packed', ({ name }) => {
  it('holds its README and licence, and no tests or build state', () => {
    const { files } = of(name);
    expect(['README.md', 'LICENSE', 'package.json'].filter((file) => !files.includes(file))).toEqual([]);
    expect(files.filter((file) => /(\.test\.|tsbuildinfo|\.tgz$|^test\/|^src\/)/.test(file))).toEqual([]);
  });

  it('holds every file that its package.json names', async () => {
    const { messages, pkg } = await publint({ pkgDir: of(name).folder, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
  });

  it('knows nothing of the machine that packed it', () => {
    expect(linesThatMention(of(name), [root, `${homedir()}/`, `${tmpdir()}/`])).toEqual([]);
  });

  it('asks for released versions', () => {
    const { dependencies = {}, devDependencies = {} } = of(name).json;
    for (const [dependency, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(`${dependency} ${range}`).toMatch(/ \^?\d+\.\d+\.\d+$/);
    }
  });

  it('is small', () => {
    // The PTX of 38 variants of kernels-cudacore, each for two architectures, is two thirds of that.
    expect(of(name).bytes).toBeLessThan(1_500_000);
  });
});

const script = `
import { openDevice, multiply } from '@ffma/core';
import { k02 } from '@ffma/kernels-cudacore';

const [m, n, k] = [3, 2, 4];
const a = Float32Array.from({ length: m * k }, (_, i) => i);
const b = Float32Array.from({ length: k * n }, (_, i) => i - 3);
await using device = await openDevice('emulator');
const c = await multiply(device, k02, a, b, { m, n, k });
console.log(JSON.stringify([...c]));
`;

describe('core, kernels-cudacore and emulator, installed from their tarballs into an empty folder', () => {
  const folder = join(target, 'user');
  const env = userEnvironment();

  beforeAll(async () => {
    const tarballs = ['core', 'kernels-cudacore', 'emulator'].map((name) => of(name).tarball);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    writeFileSync(join(folder, 'multiply.ts'), script);
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await execute('npm', ['install', ...quiet, ...tarballs], { cwd: folder, env });
  }, 300_000);

  it('come with types that a strict project can use', async () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = join(root, 'node_modules', '@types');
    const options = [
      '--strict',
      '--target',
      'es2023',
      '--lib',
      'es2023,esnext.disposable',
      '--module',
      'nodenext',
    ];
    const files = ['--types', 'node', '--typeRoots', types, '--outDir', '.', 'multiply.ts'];
    const run = execute(process.execPath, [tsc, ...options, ...files], { cwd: folder });
    await run.catch((error: { stdout: string }) => expect(error.stdout).toBe(''));
  });

  it('multiply two matrices without any compiler', async () => {
    const { stdout } = await execute(process.execPath, ['multiply.js'], {
      cwd: folder,
      env: { ...env, PATH: dirname(process.execPath) },
    });
    expect(JSON.parse(stdout)).toEqual([10, 16, 10, 32, 10, 48]);
  });
});
