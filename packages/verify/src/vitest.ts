import type { Device, Gemm, GemmLoadOptions } from '@ffma/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClaimingGemm, type CountersOf, checkClaim, onceEach } from './claims/check-claims.js';
import type { Level } from './conformance/case-plan.js';
import { conformanceCases } from './conformance/conformance-cases.js';
import { caseName, type VerifyCase } from './run/case.js';
import { Loads } from './run/loads.js';
import { complaint } from './run/report.js';
import { type CaseOptions, refusedCase, runCase } from './run/run-case.js';

export interface DescribeConformanceOptions extends CaseOptions {
  /** Opens the device that all tests share, once, when the first one runs; it is closed after the last. */
  readonly device: () => Promise<Device> | Device;
  /** Put before each title, to tell two runs of the same kernels apart: `fused FMA`. */
  readonly label?: string;
  /** Default `full`. A function where not every variant is to be tested alike. */
  readonly level?: Level | ((gemm: Gemm) => Level);
  /** Default: every declared variant. */
  readonly variants?: 'default' | 'all';
  readonly load?: GemmLoadOptions;
  /** Default: {@link conformanceCases} of the kernel. */
  readonly cases?: (gemm: Gemm) => readonly VerifyCase[];
  /** Milliseconds a test may take; default: the runner's. */
  readonly timeout?: number;
}

/** A kernel with its declared variants, or a single {@link Gemm}. */
export interface Describable extends Gemm {
  readonly variants?: ReadonlyMap<string, Gemm>;
}

const timeLimit = (timeout: number | undefined) => (timeout === undefined ? {} : { timeout });

function variantsOf(kernel: Describable, which: 'default' | 'all'): Gemm[] {
  return which === 'all' && kernel.variants !== undefined ? [...kernel.variants.values()] : [kernel];
}

/**
 * Registers one test a variant and case, generated from the kernels' declarations, the variant's id in each title:
 * a kernel that joins the list is tested without an edit.
 */
export function describeConformance(
  kernels: Iterable<Describable>,
  options: DescribeConformanceOptions,
): void {
  const { label, level = 'full', variants = 'all', load, timeout } = options;
  const levelOf = typeof level === 'function' ? level : () => level;
  const casesOf = options.cases ?? ((gemm: Gemm) => conformanceCases(gemm, { level: levelOf(gemm) }));
  describe(label === undefined ? 'conformance' : `conformance, ${label}`, () => {
    let device: Device;
    beforeAll(async () => {
      device = await options.device();
    });
    afterAll(async () => {
      await device?.[Symbol.asyncDispose]();
    });
    for (const gemm of [...kernels].flatMap((kernel) => variantsOf(kernel, variants))) {
      describe(gemm.id, () => {
        let loads: Loads;
        beforeAll(async () => {
          loads = new Loads(device, gemm, load);
          if (gemm.open === true) loads.loadAhead(casesOf(gemm).map(({ shape }) => shape));
          else await loads.load(gemm);
        }, timeout);
        afterAll(() => {
          loads?.close();
        });
        for (const testCase of casesOf(gemm)) {
          test(`${gemm.id}: ${caseName(testCase)}`, timeLimit(timeout), async () => {
            const picked = loads.pick(testCase.shape);
            const result =
              'refusal' in picked
                ? refusedCase(gemm, testCase, picked.refusal)
                : await runCase(await loads.load(picked.gemm), testCase, options);
            const wrong = complaint(testCase, result);
            if (wrong !== undefined) expect.fail(wrong);
          });
        }
      });
    }
  });
}

export interface DescribeClaimsOptions {
  readonly countersOf: CountersOf;
  readonly timeout?: number;
}

/** A kernel that has a name others can be based on. */
type Named = ClaimingGemm & { readonly name: string };

/** Registers one test a claim of every kernel; a base is looked for by name in the same list. */
export function describeClaims(kernels: Iterable<Named>, options: DescribeClaimsOptions): void {
  const list = [...kernels];
  const countersOf = onceEach(options.countersOf);
  describe('claims', () => {
    for (const kernel of list) {
      const base = list.find((other) => other.name === kernel.definition.basedOn);
      for (const claim of kernel.definition.claims ?? []) {
        test(`${kernel.id}: ${claim.sentence}`, timeLimit(options.timeout), async () => {
          const result = await checkClaim(kernel, claim, {
            countersOf,
            ...(base === undefined ? {} : { base }),
          });
          expect(result.passed, result.sentence).toBe(true);
        });
      }
    }
  });
}
