import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Modules that a source file imports when it is loaded: not types, and not what is imported later. */
function staticImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const onlyTypes = /^(?:import|export)\s+\{(?:\s*type\s[^,}]+,?)+\s*\}\s+from/;
  return [...found].filter(([statement]) => !onlyTypes.test(statement)).map(([, module]) => module as string);
}

/** What is loaded with a file: files of this package, and names of others. */
function loadedWith(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const module of staticImports(file)) {
      if (module.startsWith('.')) visit(join(dirname(file), module.replace(/\.js$/, '.ts')));
      else if (!module.startsWith('node:')) packages.add(module);
    }
  };
  visit(entry);
  return { files, packages };
}

const here = import.meta.dirname;

test('what ffma --help loads is little: no device, no schema, no chart', () => {
  const { files, packages } = loadedWith(join(here, 'main.ts'));
  expect([...packages].sort()).toEqual(['commander', 'picocolors']);
  expect(files.size).toBeLessThan(20);
});

test('the walk sees what a command loads', () => {
  const { packages } = loadedWith(join(here, 'commands/bench.ts'));
  for (const name of ['@ffma/core', '@ffma/verify', 'zod', 'commander']) expect(packages).toContain(name);
  // A configuration is read where there is one.
  expect(packages).not.toContain('jiti');
});
