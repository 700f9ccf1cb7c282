import { type Device, type DeviceOptions, type FfmaError, openDevice } from '@ffma/core';
import { compileVariant } from '@ffma/core/compile';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MutantPackage } from '../../../scripts/emulator/mutant-package.js';
import { type Fault, verdict } from '../../../scripts/emulator/verdict.js';
import { cases } from './wrong-kernels/cases.js';
import { beforeStore } from './wrong-kernels/edits.js';
import { addMutant, type Mutant, type Mutation } from './wrong-kernels/mutate.js';
import { fourAtATime, wrongAccesses } from './wrong-kernels/wrong-accesses.js';
import { twoChains, wrongResults } from './wrong-kernels/wrong-results.js';

/** Right kernels that differ from wrong ones below by nothing, or by what they declare. */
const right: readonly (Mutation & { what: string })[] = [
  { what: 'k03 as it is', slug: 'unchanged', edits: [] },
  {
    what: 'sums that are not in the order of k, declared as reordered',
    ...twoChains,
    slug: 'two-chains-reordered',
    declares: { exactness: 'reordered' },
  },
  {
    what: 'float4 loads, with the alignment declared',
    ...fourAtATime,
    slug: 'four-at-a-time-aligned',
    declares: { needs: () => ({ alignment: 16 }) },
  },
];

const unknown: Mutation = {
  slug: 'unknown-instruction',
  edits: [beforeStore('asm volatile("pmevent 1;");')],
};

interface Built extends Mutant {
  readonly ptx: string;
}

let mutants: MutantPackage;
let device: Device;
const built = new Map<string, Built>();

const compiled = async (kernel: Mutant['kernel']) =>
  (await compileVariant(kernel, { arch: device.arch.replace('sm_', 'compute_'), format: 'ptx' })).object.text;

beforeAll(async () => {
  mutants = await MutantPackage.create();
  // On one worker, blocks run in order: what a wrong kernel does is the same each time. Without racecheck, which would
  // stop some of them earlier, each shows what else finds it.
  device = await openDevice('emulator', { workers: 1, checks: { racecheck: false } } as DeviceOptions);
  const queue = [...right, ...wrongResults, ...wrongAccesses, unknown];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const mutant = await addMutant(mutants, next);
      built.set(next.slug, { ...mutant, ptx: await compiled(mutant.kernel) });
    }
  };
  await Promise.all([worker(), worker(), worker()]);
}, 120_000);

afterAll(async () => {
  await device?.[Symbol.asyncDispose]();
  await mutants?.[Symbol.asyncDispose]();
});

/** Verifies a mutant, compiled here, with its own conformance, or a part of it. */
async function verified({ slug }: Mutation, part: (testCase: VerifyCase) => boolean = () => true) {
  const { kernel } = built.get(slug) as Built;
  const wanted = cases(kernel).filter(part);
  const report = await verifyGemm(device, kernel, { cases: wanted, load: { compile: true } });
  expect(report.ended).toBeUndefined();
  expect(report.cases.length).toBe(wanted.length);
  return { report, ...verdict(report), names: report.cases.map(({ name }) => name) };
}

const titled = <T>(list: readonly T[], title: (each: T) => string) =>
  list.map((each) => [title(each), each] as const);

const matching = (names: readonly string[], rule: RegExp) => names.filter((name) => rule.test(name));

describe('right kernels pass', () => {
  test.each(titled(right, ({ what }) => what))('%s', async (_, mutation) => {
    const { report, failed } = await verified(mutation);
    expect(failed).toEqual([]);
    expect(report.outcome).toBe('passed');
    expect(report.counts.passed).toBeGreaterThan(30);
  });
});

describe('wrong results fail', () => {
  test.each(titled(wrongResults, ({ what, fails }) => `${what}: ${fails.join(', ')}`))(
    '%s',
    async (_, wrong) => {
      const { failed, gates, faults, errors, names } = await verified(wrong);
      expect({ gates, faults, errors }).toEqual({ gates: [...wrong.fails].sort(), faults: [], errors: [] });
      if (wrong.only !== undefined) expect(failed).toEqual(matching(names, wrong.only));
    },
  );

  test('the canary is enough to see TF32 inputs', async () => {
    const tf32 = wrongResults.find(({ slug }) => slug === 'tf32-inputs') as Mutation;
    const { gates, failed } = await verified(tf32, ({ data }) => data === 'canary');
    expect({ gates, failed: failed.length }).toEqual({
      gates: ['exact', 'hard-bound', 'k-order'],
      failed: 1,
    });
  });
});

describe('wrong accesses are stopped', () => {
  test.each(titled(wrongAccesses, ({ what, kind }) => `${what}: ${kind}`))('%s', async (_, wrong) => {
    const { gates, faults, errors, names } = await verified(wrong);
    expect({ gates, errors }).toEqual({ gates: [...(wrong.fails ?? [])].sort(), errors: [] });
    expect([...new Set(faults.map(({ kind }) => kind))]).toEqual([wrong.kind]);
    if (wrong.only !== undefined) expect(faults.map((f) => f.case)).toEqual(matching(names, wrong.only));

    const { place, message } = faults.find((f) => f.case.startsWith('33×17×65 integers')) as Fault;
    const { kernel, source, ptx } = built.get(wrong.slug) as Built;
    expect(place).toMatchObject({ kernel: kernel.id, block: wrong.block, thread: wrong.thread });
    const { ptxLine, instruction, source: at } = place as Required<typeof place>;
    expect(ptx.split('\n')[ptxLine - 1]?.trim().replace(/\s+/g, ' ')).toBe(`${instruction};`);
    // clang 19 gives the line of a device header without the line that calls it.
    if (ptx.includes('inlined_at') || !at.file.startsWith('ffma/')) {
      expect(at.file).toBe(`${wrong.slug}/kernel.cu`);
      expect(source.split('\n')[at.line - 1]).toContain(wrong.line);
    }
    const [what, where] = message.split('; kernel ') as [string, string];
    const triple = (t: readonly number[]) => `(${t.join(', ')})`;
    expect(`${what.match(wrong.says)?.[0]}; kernel ${where}`).toBe(
      `${what}; kernel ${kernel.id}, block ${triple(wrong.block)}, thread ${triple(wrong.thread)}, ` +
        `PTX line ${ptxLine} (${instruction}), ${at.file}:${at.line}.`,
    );
  });
});

test('an unknown instruction is refused at load, with its kernel and line', async () => {
  const { kernel, source, ptx } = built.get(unknown.slug) as Built;
  const lineOf = (text: string, part: string) =>
    text.split('\n').findIndex((line) => line.includes(part)) + 1;
  const error = (await kernel.load(device, { compile: true }).catch((e: unknown) => e)) as FfmaError;
  expect(error.code).toBe('FFMA_COMPILE');
  expect(error.message).toMatch(
    new RegExp(
      `kernel unknown_instruction, PTX line ${lineOf(ptx, 'pmevent')}, ` +
        `unknown-instruction/kernel.cu:${lineOf(source, 'pmevent')}: ` +
        "the emulator does not know the instruction 'pmevent' \\(pmevent 1\\)",
    ),
  );
  const report = await verifyGemm(device, kernel, { load: { compile: true } });
  expect(report).toMatchObject({ outcome: 'failed', ended: { by: 'load', error: { code: 'FFMA_COMPILE' } } });
});
