import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineKernel } from '@ffma/core';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { modelDevice, sweepHere, sweptKernel } from '../test-support/swept-kernel.js';
import type { SweepResult } from './schema.js';
import { writeWinners } from './write-winner.js';

/** A kernel whose source stands in a package of its own. */
function kernelIn(path: string) {
  const definition = {
    ...sweptKernel.definition,
    source: pathToFileURL(join(path, 'kernels/k50-swept/kernel.cu')),
  };
  return { name: 'k50', definition: definition as never, declared: () => defineKernel(definition) };
}

let made: Promise<SweepResult> | undefined;
function whole(): Promise<SweepResult> {
  made ??= sweepHere(modelDevice('a'));
  return made;
}

const folderWith = () => temporaryFolder({ 'package.json': {}, 'kernels/k50-swept/kernel.cu': '' });

test('the winner is a variant of the kernel, in a file of its folder that biome leaves as it is', async () => {
  using folder = folderWith();
  const { declared, ...kernel } = kernelIn(folder.path);
  const [written] = await writeWinners(kernel, await whole());
  expect(written).toMatchObject({ name: 'tuned_fake-gpu_8', size: '8³' });
  const path = join(folder.path, 'kernels/k50-swept/tuned.json');
  expect(declared().variant('tuned_fake-gpu_8').params).toEqual({ BM: 16, BN: 32, DEEP: true });
  const before = readFileSync(path, 'utf8');
  const biome = join(
    dirname(createRequire(import.meta.url).resolve('@biomejs/biome/package.json')),
    'bin/biome',
  );
  writeFileSync(
    join(folder.path, 'biome.json'),
    readFileSync(new URL('../../../../biome.json', import.meta.url))
      .toString()
      .replace('"enabled": true', '"enabled": false')
      .replace('"useIgnoreFile": true', '"useIgnoreFile": false'),
  );
  execFileSync(process.execPath, [biome, 'format', '--write', path], { cwd: folder.path });
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('what is not sure is not written', async () => {
  using folder = folderWith();
  const { declared: _, ...kernel } = kernelIn(folder.path);
  const result = await whole();
  const shard = await sweepHere(modelDevice('a'), { shard: { index: 1, count: 2 } });
  const counted = { ...result, identity: { ...result.identity, rankedBy: 'overhead.perFfma' } };
  await expect(writeWinners(kernel, { ...result, interrupted: true })).rejects.toThrow(/it was interrupted/);
  await expect(writeWinners(kernel, shard)).rejects.toThrow(/2\/2 of it was not swept/);
  await expect(writeWinners(kernel, counted)).rejects.toThrow(/it has no times/);
  expect(existsSync(join(folder.path, 'kernels/k50-swept/tuned.json'))).toBe(false);
});

test('an installed package is not written to', async () => {
  using folder = temporaryFolder({
    'node_modules/p/package.json': {},
    'node_modules/p/kernels/k50-swept/kernel.cu': '',
  });
  const { declared: _, ...kernel } = kernelIn(join(folder.path, 'node_modules/p'));
  await expect(writeWinners(kernel, await whole())).rejects.toThrow(/belongs to an installed package/);
});
