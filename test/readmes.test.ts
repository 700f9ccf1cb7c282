import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeSamples, sampleErrors } from './code-samples.js';
import { execute } from './pack.js';
import { markdownPages, packages, root } from './workspace.js';

const pages = markdownPages();
const samples = pages.flatMap((file) => codeSamples(root, file));

describe('code samples', () => {
  it('are type-correct in every page', () => {
    expect(samples.length).toBeGreaterThan(5);
    expect(sampleErrors(root, samples)).toEqual([]);
  });

  it('are checked: a wrong one is reported with its page and line', () => {
    const code =
      "import { openDevice } from '@ffma/core';\nconst device: number = await openDevice('emulator');";
    const errors = sampleErrors(root, [{ file: 'PAGE.md', line: 10, code }]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^PAGE\.md:11: Type 'Device' is not assignable/);
  });
});

// A sample of a test file runs under vitest only; those of the contributors' recipe are run by its own test.
const runnable = samples.filter(({ file, code }) => file !== 'CONTRIBUTING.md' && !code.includes('/vitest'));

describe('running', () => {
  const folder = join(root, '.ffma', 'samples');
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(runnable)('$file:$line ends without an error', async ({ file, line, code }) => {
    const path = join(folder, `${file.replaceAll(/[^a-z]/gi, '-')}-${line}.mjs`);
    const target = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
    writeFileSync(path, ts.transpileModule(code, { compilerOptions: target }).outputText);
    await execute(process.execPath, [path], { cwd: root });
  });
});

describe('links', () => {
  it.each(pages)('of %s lead to files that exist', (page) => {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target as string);
    const local = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(local.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });
});

describe.each(packages)('README of $name', ({ folder, json }) => {
  const path = join(folder, 'README.md');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';

  it('is titled with the name it is installed by', () => {
    expect(text.split('\n')[0]).toBe(`# ${json.name}`);
    expect(text).toMatch(new RegExp(`npm install (-D )?.*${json.name}\\b`));
  });

  it('fits into a terminal that is 120 columns wide', () => {
    const long = text.split('\n').filter((line) => line.length > 120 && !line.startsWith('|'));
    expect(long).toEqual([]);
  });
});
