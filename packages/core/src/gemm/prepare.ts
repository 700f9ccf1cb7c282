import type { Buffer } from '../device/buffer.js';
import type { Device } from '../device/device.js';
import type { Kernel } from '../device/kernel.js';
import { checkLaunch, type KernelArg, type LaunchConfig, type LaunchStream } from '../device/launch.js';
import type { LoadedObject } from '../device/object-code.js';
import type { Stream } from '../device/stream.js';
import { ArgumentError, ClosedError, UnsupportedError } from '../errors.js';
import type { Variant } from './define-kernel.js';
import type { GemmOperands, MatrixRef, PreparedGemm } from './gemm.js';
import type { Resources } from './kernel-definition.js';
import type { Plan, PlanArg } from './plan.js';
import { type GemmProblem, type GemmShape, gemmProblem, matrixAlignment, matrixBytes } from './problem.js';

/** A matrix in device memory, checked. */
interface Operand {
  readonly buffer: Buffer;
  readonly byteOffset: number;
}

function operand(name: string, ref: MatrixRef | Buffer, device: Device): Operand {
  const { buffer, byteOffset = 0 } = 'buffer' in ref ? ref : { buffer: ref };
  if (buffer.closed) throw new ClosedError(`buffer of ${name}`);
  if (buffer.device !== device) throw new ArgumentError(`${name} lives on another device than the kernel.`);
  if (!Number.isInteger(byteOffset) || byteOffset < 0 || byteOffset % 4 !== 0) {
    throw new ArgumentError(
      `The byte offset of ${name} must be a multiple of 4, at least 0, but is ${byteOffset}.`,
    );
  }
  return { buffer, byteOffset };
}

function checkSpan(
  name: string,
  { buffer, byteOffset }: Operand,
  rows: number,
  cols: number,
  ld: number,
): void {
  const end = byteOffset + matrixBytes(rows, cols, ld);
  if (end > buffer.byteLength) {
    throw new ArgumentError(
      `${name} is ${rows}×${cols} with leading dimension ${ld} at byte ${byteOffset}, so it needs ${end} bytes, ` +
        `but its buffer has ${buffer.byteLength}.`,
    );
  }
}

function overlaps(x: Operand, xBytes: number, y: Operand, yBytes: number): boolean {
  const xs = x.buffer.address + BigInt(x.byteOffset);
  const ys = y.buffer.address + BigInt(y.byteOffset);
  return xBytes > 0 && yBytes > 0 && xs < ys + BigInt(yBytes) && ys < xs + BigInt(xBytes);
}

function bind(device: Device, shape: GemmShape, operands: GemmOperands) {
  const a = operand('A', operands.a, device);
  const b = operand('B', operands.b, device);
  const c = operand('C', operands.c, device);
  const bare = gemmProblem(shape);
  const at = (o: Operand, rows: number, ld: number) =>
    matrixAlignment(o.buffer.address + BigInt(o.byteOffset), rows, ld);
  const problem: GemmProblem = {
    ...bare,
    alignment: { a: at(a, bare.m, bare.lda), b: at(b, bare.k, bare.ldb), c: at(c, bare.m, bare.ldc) },
  };
  const { m, n, k, lda, ldb, ldc } = problem;
  checkSpan('A', a, m, k, lda);
  checkSpan('B', b, k, n, ldb);
  checkSpan('C', c, m, n, ldc);
  for (const [name, input, bytes] of [
    ['A', a, matrixBytes(m, k, lda)],
    ['B', b, matrixBytes(k, n, ldb)],
  ] as const) {
    if (overlaps(input, bytes, c, matrixBytes(m, n, ldc))) {
      throw new ArgumentError(`C overlaps ${name} in memory; the result would be undefined.`, {
        remedy: 'Give C memory of its own.',
      });
    }
  }
  return { problem, operands: { a, b, c } };
}

class PreparedVariant implements PreparedGemm {
  readonly problem: GemmProblem;
  readonly plan: Plan;
  readonly #device: Device;
  readonly #launches: readonly { config: LaunchConfig; kernel: Kernel; args: readonly KernelArg[] }[];
  readonly #scratch: readonly Buffer[];
  #closed = false;

  constructor(
    device: Device,
    problem: GemmProblem,
    plan: Plan,
    launches: readonly { config: LaunchConfig; kernel: Kernel; args: readonly KernelArg[] }[],
    scratch: readonly Buffer[],
  ) {
    this.problem = problem;
    this.plan = plan;
    this.#device = device;
    this.#launches = launches;
    this.#scratch = scratch;
  }

  enqueue(stream: Stream): void {
    if (this.#closed) throw new ClosedError('prepared operation');
    if (stream.device !== this.#device)
      throw new ArgumentError('The stream belongs to another device than the operation.');
    for (const { config, kernel, args } of this.#launches) {
      (stream as LaunchStream).enqueueLaunch(config, kernel, args);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const buffer of this.#scratch) buffer.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Binds operands, asks the variant for its plan, and checks every launch: what is left for `enqueue` cannot fail. */
export function prepareVariant(
  variant: Variant,
  device: Device,
  loaded: LoadedObject,
  resources: Resources,
  shape: GemmShape,
  refs: GemmOperands,
): PreparedGemm {
  const { problem, operands } = bind(device, shape, refs);
  const refusal = variant.refusal(problem, device);
  if (refusal !== undefined) {
    throw new UnsupportedError(`${variant.id} does not take this problem: ${refusal}`, {
      remedy: 'Use a kernel without this requirement, such as one that takes any m, n and k.',
    });
  }
  const plan = variant.plan(problem, device, resources);
  const scratch = new Map<string, Buffer>();
  const toArg = (planned: PlanArg): KernelArg => {
    if (planned.type === 'operand') {
      const { buffer, byteOffset } = operands[planned.operand];
      return { type: 'pointer', buffer, offset: byteOffset };
    }
    if (planned.type !== 'scratch') return planned;
    const buffer = scratch.get(planned.scratch);
    if (buffer === undefined)
      throw new ArgumentError(`The plan of ${variant.id} declares no scratch '${planned.scratch}'.`);
    return { type: 'pointer', buffer };
  };
  try {
    for (const { name, byteLength } of plan.scratch ?? []) scratch.set(name, device.allocateSync(byteLength));
    const launches = plan.launches.map((planned) => {
      const symbol = variant.symbols[planned.entry];
      if (symbol === undefined) throw new ArgumentError(`${variant.id} has no entry '${planned.entry}'.`);
      const kernel = loaded.kernel(symbol);
      const config: LaunchConfig = {
        grid: planned.grid,
        block: planned.block,
        sharedBytes: planned.sharedBytes,
        ...(planned.cluster === undefined ? {} : { cluster: planned.cluster }),
      };
      checkLaunch(config, device.limits, kernel.attributes.sharedBytes);
      return { config, kernel, args: planned.args.map(toArg) };
    });
    return new PreparedVariant(device, problem, plan, launches, [...scratch.values()]);
  } catch (error) {
    for (const buffer of scratch.values()) buffer.close();
    throw error;
  }
}
