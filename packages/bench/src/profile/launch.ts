import { type Device, type Gemm, type GemmArtefact, gemmProblem } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import { compilesHere, loadOptions } from '../device/compile-here.js';
import type { SelectedKernel } from '../discover/select.js';
import { asVariant } from '../inspect/as-variant.js';
import { deviceFacts } from '../result/provenance.js';
import type { DeviceFacts } from '../result/schema.js';
import { checkOnce } from '../timing/check.js';
import { DeviceProblem } from '../timing/device-problem.js';
import { checkOneProduct } from './one-product.js';

export interface LaunchOptions {
  /** Multiplications before the last one, which is judged. */
  readonly warmUps: number;
  /** Compile a variant that was not built. Default: on a GPU, where there is a compiler. */
  readonly compile?: boolean | undefined;
}

/** A multiplication as it was launched. */
export interface LaunchReport {
  readonly id: string;
  readonly package: string;
  readonly problem: { readonly m: number; readonly n: number; readonly k: number };
  readonly device: DeviceFacts;
  readonly artefact: GemmArtefact;
  /** Device symbols in the order of the plan; empty for a library, which does not say. */
  readonly symbols: readonly string[];
  /** Multiplications in all. */
  readonly multiplications: number;
  /** What was wrong with the last result, as a sentence; absent where it was right. */
  readonly wrong?: string;
}

/** What is loaded for a size: sizes that are compiled in are filled in. */
export function filledFor(gemm: Gemm, size: Size): Gemm {
  return gemm.open === true ? (gemm.forShape?.(size) ?? gemm) : gemm;
}

/**
 * Multiplies a few times with no other kernel in between, so that a profiler can count its launches, and judges the
 * last result. C is poisoned before each.
 * @throws UnsupportedError where the kernel does not take the size or the device
 */
export async function launchKernel(
  device: Device,
  { gemm, kernel }: SelectedKernel,
  size: Size,
  { warmUps, compile }: LaunchOptions,
): Promise<LaunchReport> {
  checkOneProduct(size);
  const filled = filledFor(gemm, size);
  using loaded = await filled.load(device, loadOptions(await compilesHere(device, compile)));
  using stream = device.createStream();
  using problem = await DeviceProblem.upload(device, stream, size, 'uniform');
  using prepared = loaded.prepare(problem.shape, problem.operands);
  for (let i = 0; i < warmUps; i++) {
    problem.poison(stream);
    prepared.enqueue(stream);
    await stream.synchronize();
  }
  const { status, sentence } = await checkOnce(stream, prepared, problem, gemm);
  const { m, n, k } = gemmProblem(size);
  const symbols = asVariant(filled)?.symbols;
  return {
    id: gemm.id,
    package: kernel.package.name,
    problem: { m, n, k },
    device: deviceFacts(device),
    artefact: loaded.artefact,
    symbols: symbols === undefined ? [] : prepared.plan.launches.map(({ entry }) => symbols[entry] ?? entry),
    multiplications: warmUps + 1,
    ...(status === 'passed' ? {} : { wrong: sentence ?? 'The result is wrong.' }),
  };
}
