import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gemmProblem } from '@ffma/core';
import { profiles } from '@ffma/emulator';
import { describe, expect, it } from 'vitest';
import { kernels, study } from './index.js';

const { arch, limits } = profiles.h200;
const device = { arch, limits };
const resources = { main: { registers: 32, sharedBytes: 0, spillBytes: 0, estimated: true } };

describe('the registry', () => {
  it('names every folder of the course once, in order', () => {
    const folders = readdirSync(new URL('../kernels/course', import.meta.url)).sort();
    const course = kernels.filter((kernel) => !study.includes(kernel));
    expect(course.map(({ name, definition }) => `${name}-${definition.slug}`)).toEqual(folders);
  });

  it('names every folder of the study once, by whose ids variants go', () => {
    const folders = readdirSync(new URL('../kernels/study', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'parts')
      .map(({ name }) => name);
    expect(study.map(({ name }) => name).sort()).toEqual(folders.sort());
    for (const { name, variants } of study) {
      for (const { id } of variants.values())
        expect(id.replaceAll('_', '-')).toMatch(new RegExp(`^${name}(-|$)`));
    }
  });

  it('puts every kernel after its base', () => {
    const names = kernels.map(({ name }) => name);
    for (const { name, definition } of kernels) {
      if (definition.basedOn === undefined) continue;
      expect(names.slice(0, names.indexOf(name))).toContain(definition.basedOn);
    }
  });
});

describe.each(kernels.map((kernel) => ({ id: kernel.id, kernel })))('$id', ({ kernel }) => {
  it('has its source and notes beside its declaration', () => {
    const { source } = kernel.definition;
    expect(existsSync(source)).toBe(true);
    const notes = readFileSync(new URL('./NOTES.md', source), 'utf8');
    const parts = ['## Change', '## Why', '## What it costs', '## Try'];
    if (study.includes(kernel)) parts.push('## What the study measured');
    expect(notes.match(/^## .*/gm)).toEqual(parts);
  });

  it('says what changed and what it teaches in a sentence each', () => {
    expect(kernel.definition.change).toMatch(/^[A-Z].*\.$/);
    expect(kernel.definition.lesson).toMatch(/^[A-Z].*\.$/);
  });

  it.each([
    { m: 1, n: 1, k: 1 },
    { m: 2 ** 31 - 1, n: 1, k: 1 },
    { m: 1, n: 2 ** 31 - 1, k: 1 },
    { m: 300_000, n: 300_000, k: 1 },
  ])('launches within the limits of the grid at $m × $n', (shape) => {
    const { launches } = kernel.plan(gemmProblem(shape), device, resources);
    for (const { grid, block } of launches) {
      expect(block[0] * block[1] * block[2]).toBe(kernel.derived.threads);
      for (const axis of [0, 1, 2] as const) expect(grid[axis]).toBeLessThanOrEqual(limits.maxGridDim[axis]);
    }
  });
});
