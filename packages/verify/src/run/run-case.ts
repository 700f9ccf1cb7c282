import {
  type Buffer,
  type Device,
  type FfmaError,
  type Gemm,
  type GemmOperands,
  type GemmProblem,
  gemmProblem,
  type LoadedGemm,
  type MatrixRef,
  matrixAlignment,
  type PreparedGemm,
  type Stream,
} from '@ffma/core';
import type { MatrixImage } from '../data/matrix-image.js';
import { makeProblemData, type ProblemData } from '../data/problem-data.js';
import type { GateResult } from '../gates/gate.js';
import { judge, type Outcome } from '../gates/judge.js';
import { caseJson, caseName, type VerifyCase } from './case.js';
import { ffmaErrorJson, isFfmaError } from './ffma-error.js';
import { matrixPlace } from './matrix-place.js';
import { type CaseResult, errorJson } from './report.js';

export interface CaseOptions {
  /** Sums that an element's products are split into, for the hard bound. Default: as many as the kernel declares. */
  readonly partialSums?: number;
}

/**
 * Puts one case before a loaded kernel: uploads the data, launches, reads everything back and judges it. What goes
 * wrong on the way is the case's result, never an exception.
 *
 * @throws ArgumentError where the case itself is wrong: a bad shape, or data that cannot serve it
 */
export async function runCase(
  loaded: LoadedGemm,
  testCase: VerifyCase,
  options: CaseOptions = {},
): Promise<CaseResult> {
  const data = makeProblemData(testCase.shape, testCase);
  const about = { name: caseName(testCase), case: caseJson(testCase) };
  try {
    return { ...about, ...(await attempt(loaded, testCase, data, options)) };
  } catch (error) {
    const json = errorJson(error);
    return { ...about, status: 'failed', gates: [], error: json, sentence: `${json.name}: ${json.message}` };
  }
}

/** The result of a case whose sizes cannot be filled in. @param error what the kernel said to it */
export function refusedCase(gemm: Gemm, testCase: VerifyCase, error: FfmaError): CaseResult {
  const announced = gemm.refusal(gemmProblem(testCase.shape));
  const about = { name: caseName(testCase), case: caseJson(testCase) };
  return { ...about, ...judgeRefusal(testCase, announced, announced, error) };
}

type Verdict = Omit<CaseResult, 'name' | 'case'>;

async function attempt(
  loaded: LoadedGemm,
  testCase: VerifyCase,
  data: ProblemData,
  options: CaseOptions,
): Promise<Verdict> {
  const { device, gemm } = loaded;
  using a = await device.allocate(data.a.words.byteLength);
  using b = await device.allocate(data.b.words.byteLength);
  using c = await device.allocate(data.c.words.byteLength);
  const buffers = { a, b, c };
  const problem = placed(data, buffers);
  const refusal = gemm.refusal(problem, device);
  let prepared: PreparedGemm;
  try {
    prepared = loaded.prepare(testCase.shape, operands(data, buffers));
  } catch (error) {
    if (!isFfmaError(error) || error.code !== 'FFMA_UNSUPPORTED') throw error;
    return judgeRefusal(testCase, gemm.refusal(problem), refusal, error);
  }
  using _ = prepared;
  if (refusal !== undefined)
    return failed(`It says that it does not take this problem (${refusal}), yet prepared it.`);
  if (testCase.expect === 'refusal') return failed('Its declaration excludes this problem, yet it took it.');
  using stream = device.createStream();
  const matrices = (['a', 'b', 'c'] as const).map((name) => ({
    layout: data[name].layout,
    address: buffers[name].address,
  }));
  let outcome: Outcome;
  try {
    outcome = await execute(stream, prepared, data, buffers);
  } catch (error) {
    const place = matrixPlace(error, matrices);
    if (place === undefined) throw error;
    const json = errorJson(error);
    return { ...failed(`${json.name}: ${json.message} ${place}`), error: json };
  }
  const { exactness, atomicSums = false } = gemm;
  const partialSums = options.partialSums ?? prepared.partialSums ?? 1;
  return verdict(judge(data, outcome, { exactness, atomicSums, partialSums }));
}

/** A refusal is right if the kernel announces it, and unless the declaration says that the problem is taken. */
function judgeRefusal(
  testCase: VerifyCase,
  byProblem: string | undefined,
  announced: string | undefined,
  error: FfmaError,
): Verdict {
  if (announced === undefined) {
    return {
      ...failed(`Its declaration takes this problem, yet it refused it: ${error.message}`),
      error: ffmaErrorJson(error),
    };
  }
  // What the problem alone does not explain is the device's: an older architecture is no fault of the kernel.
  if (testCase.expect === 'run' && byProblem !== undefined) {
    return {
      ...failed(`Its declaration takes this problem, yet it refused it: ${announced}`),
      refusal: announced,
    };
  }
  return { status: 'refused', gates: [], refusal: announced, sentence: announced };
}

function failed(sentence: string): Verdict {
  return { status: 'failed', gates: [], sentence };
}

function verdict(gates: readonly GateResult[]): Verdict {
  const broken = gates.filter((gate) => gate.decides && !gate.passed);
  const first = broken[0];
  return first === undefined
    ? {
        status: 'passed',
        gates,
        sentence: `Passed ${gates
          .filter((g) => g.decides)
          .map((g) => g.gate)
          .join(', ')}.`,
      }
    : {
        status: 'failed',
        gates,
        sentence: `Failed ${broken.map((g) => g.gate).join(', ')}. ${first.sentence}`,
      };
}

interface Buffers {
  readonly a: Buffer;
  readonly b: Buffer;
  readonly c: Buffer;
}

function operands(data: ProblemData, buffers: Buffers): GemmOperands {
  const at = (name: 'a' | 'b' | 'c'): MatrixRef => ({
    buffer: buffers[name],
    byteOffset: data[name].layout.start * 4,
  });
  return { a: at('a'), b: at('b'), c: at('c') };
}

/** The problem with the alignment that its operands have in device memory. */
function placed({ problem, a, b, c }: ProblemData, buffers: Buffers): GemmProblem {
  const of = ({ layout: { start, rows, ld } }: MatrixImage, buffer: Buffer) =>
    matrixAlignment(buffer.address + BigInt(start * 4), rows, ld);
  return { ...problem, alignment: { a: of(a, buffers.a), b: of(b, buffers.b), c: of(c, buffers.c) } };
}

/** Uploads, launches, downloads. Everything that was started is awaited, so that no rejection is left unhandled. */
async function execute(
  stream: Stream,
  prepared: PreparedGemm,
  data: ProblemData,
  buffers: Buffers,
): Promise<Outcome> {
  await Promise.all([
    buffers.a.copyFrom(stream, data.a.words),
    buffers.b.copyFrom(stream, data.b.words),
    buffers.c.copyFrom(stream, data.c.words),
  ]);
  prepared.enqueue(stream);
  await stream.synchronize();
  const outcome: Outcome = {
    a: new Uint32Array(data.a.words.length),
    b: new Uint32Array(data.b.words.length),
    c: new Uint32Array(data.c.words.length),
  };
  await Promise.all([
    buffers.a.copyTo(stream, outcome.a),
    buffers.b.copyTo(stream, outcome.b),
    buffers.c.copyTo(stream, outcome.c),
  ]);
  return outcome;
}

/** Whether an error, or the state it left the device in, makes all further work there pointless. */
export function isLost(device: Device, result: CaseResult): boolean {
  const code = result.error !== undefined && 'code' in result.error ? result.error.code : undefined;
  return device.lost !== undefined || code === 'FFMA_DEVICE_LOST' || device.closed;
}
