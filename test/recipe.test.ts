import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from './pack.js';
import { root } from './workspace.js';

// "Add a kernel" of CONTRIBUTING.md, done word for word in a copy of the package.

const recipe = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Add a kernel')[1] ?? '';
const original = join(root, 'packages', 'kernels-cudacore');
const copy = mkdtempSync(join(tmpdir(), 'ffma-recipe-'));

/** The only block of a language in the recipe. */
function block(language: string): string {
  const found = [...recipe.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))];
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? '';
}

/** The registry with one kernel more: its import, and its name at the end of both lists. */
function register(registry: string, line: string, name: string): string {
  const lists = /(kernels\b[^=]*= \[[^\]]*?|export \{ k01\b[^}]*?),?(\s*[\]}])/g;
  expect([...registry.matchAll(lists)]).toHaveLength(2);
  return line + registry.replaceAll(lists, `$1, ${name}$2`);
}

/** Runs one of the workspace's programs in the copy. */
async function runInCopy(...args: string[]): Promise<string> {
  try {
    return (await execute(process.execPath, args, { cwd: copy })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  }
}

const ffma = (...args: string[]) => runInCopy(join(root, 'packages', 'bench', 'bin', 'ffma.js'), ...args);
const kernelc = (...args: string[]) =>
  runInCopy(join(root, 'packages', 'core', 'bin', 'ffma-kernelc.js'), ...args);

describe('a kernel added by the recipe', () => {
  beforeAll(async () => {
    for (const name of ['kernels', 'experiments', 'src', 'package.json', 'tsconfig.json']) {
      cpSync(join(original, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(original, 'node_modules'), join(copy, 'node_modules'));
    const config = JSON.parse(readFileSync(join(copy, 'tsconfig.json'), 'utf8'));
    config.extends = join(root, 'tsconfig.base.json');
    config.compilerOptions.typeRoots = [join(root, 'node_modules', '@types')];
    config.references = [];
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));

    const folder = join(copy, 'kernels', 'course', 'k90-pairs');
    cpSync(join(copy, 'kernels', 'course', 'k02-coalesced'), folder, { recursive: true });
    writeFileSync(join(folder, 'kernel.cu'), block('cpp'));
    writeFileSync(join(folder, 'kernel.ts'), block('ts'));
    const registry = join(copy, 'src', 'index.ts');
    writeFileSync(registry, register(readFileSync(registry, 'utf8'), block('js'), 'k90'));
    await runInCopy(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json');
    await kernelc('build');
  }, 180_000);
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('can be shown', async () => {
    expect(await kernelc('show', 'k90')).toMatch(/BM = 64/);
  });

  it('passes every conformance case that its declaration asks for', async () => {
    const { kernels } = JSON.parse(await ffma('verify', 'k90', '--json'));
    expect(kernels).toHaveLength(1);
    expect(kernels[0].report).toMatchObject({ outcome: 'passed', gemm: { id: 'k90_bm64_bn32' } });
    expect(kernels[0].report.counts.passed).toBeGreaterThan(20);
  });

  it('is counted beside its base, and loads less for the same product', async () => {
    const { rows } = JSON.parse(await ffma('bench', 'k90', '--sizes', '64', '--json', '-'));
    expect(rows.map(({ kernel }: { kernel: string }) => kernel)).toEqual(['k02', 'k90']);
    const [base, own] = rows.map(
      ({ counters }: { counters: { values: Record<string, number> } }) => counters.values,
    );
    expect(own['instructions.ffma']).toBe(base['instructions.ffma']);
    expect(own['global.load.requests']).toBeLessThan(base['global.load.requests']);
  });
});
