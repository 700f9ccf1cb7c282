import type { Buffer } from '../device/buffer.js';
import type { Device } from '../device/device.js';
import {
  type BoundLaunch,
  type KernelArg,
  type LaunchBatch,
  type LaunchConfig,
  prepareLaunches,
} from '../device/launch.js';
import type { LoadedObject } from '../device/object-code.js';
import { shown } from '../device/shown.js';
import type { Stream } from '../device/stream.js';
import type { TensorMap, TensorMapper } from '../device/tensor-map.js';
import { ArgumentError, ClosedError, UnsupportedError } from '../errors.js';
import { checkPlanned, checkSharedBytes, checkSignature } from './check-plan.js';
import type { Variant } from './define-kernel.js';
import type { GemmOperands, PreparedGemm, PrepareOptions } from './gemm.js';
import type { Resources } from './kernel-definition.js';
import { type BoundProblem, bindOperands } from './operands.js';
import type { Plan, PlanArg, PlannedTiles } from './plan.js';
import type { GemmProblem, GemmShape } from './problem.js';

/** What a prepared operation was made from; closing it ends the operation. */
export interface PreparedOwner {
  readonly closed: boolean;
}

function notItsStream(stream: unknown): ArgumentError {
  return typeof stream === 'object' && stream !== null && 'device' in stream
    ? new ArgumentError('The stream belongs to another device than the operation.')
    : new ArgumentError(`An operation is enqueued on a stream of its device, but got ${shown(stream)}.`);
}

class PreparedVariant implements PreparedGemm {
  readonly problem: GemmProblem;
  readonly plan: Plan;
  readonly partialSums: number;
  readonly #device: Device;
  readonly #launches: LaunchBatch;
  readonly #scratch: readonly Buffer[];
  readonly #owner: PreparedOwner;
  #closed = false;

  constructor(
    device: Device,
    problem: GemmProblem,
    plan: Plan,
    partialSums: number,
    launches: LaunchBatch,
    scratch: readonly Buffer[],
    owner: PreparedOwner,
  ) {
    this.problem = problem;
    this.plan = plan;
    this.partialSums = partialSums;
    this.#device = device;
    this.#launches = launches;
    this.#scratch = scratch;
    this.#owner = owner;
  }

  enqueue(stream: Stream): void {
    if (this.#closed) throw new ClosedError('prepared operation');
    if (this.#owner.closed) throw new ClosedError('loaded kernel of a prepared operation');
    if (stream?.device !== this.#device) throw notItsStream(stream);
    this.#launches.enqueue(stream);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#launches.close();
    for (const buffer of this.#scratch) buffer.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** @throws UnsupportedError where the device has no tensor memory accelerator; ArgumentError for tiles that it cannot copy */
function encodeTiles(
  { id }: Variant,
  device: Device & Partial<TensorMapper>,
  { operand, byteOffset = 0, ...tiles }: PlannedTiles,
  operands: BoundProblem['operands'],
): TensorMap {
  if (device.encodeTensorMap === undefined) {
    throw new UnsupportedError(
      `${id} copies tiles by a tensor memory accelerator, and ${device.name} has none.`,
      { remedy: 'Use a GPU of sm_90 or newer, the emulator, or a kernel without it.' },
    );
  }
  const { buffer, byteOffset: first } = operands[operand];
  return device.encodeTensorMap({ ...tiles, buffer, byteOffset: first + byteOffset });
}

/** Binds operands, asks the variant for its plan, and checks every launch: what is left for `enqueue` cannot fail. */
export function prepareVariant(
  variant: Variant,
  device: Device,
  loaded: LoadedObject,
  resources: Resources,
  shape: GemmShape,
  refs: GemmOperands,
  owner: PreparedOwner,
  options: PrepareOptions = {},
): PreparedGemm {
  const { problem, operands } = bindOperands(device, shape, refs);
  const refusal = variant.refusal(problem, device);
  if (refusal !== undefined) {
    throw new UnsupportedError(`${variant.id} does not take this problem: ${refusal}`, {
      remedy: 'Use a kernel without this requirement, such as one that takes any m, n and k.',
    });
  }
  const plan = variant.plan(problem, device, resources);
  const sums = variant.partialSums(problem, device, resources);
  const scratch = new Map<string, Buffer>();
  const toArg = (planned: PlanArg): KernelArg => {
    if (planned.type === 'operand') {
      const { buffer, byteOffset } = operands[planned.operand];
      return { type: 'pointer', buffer, offset: byteOffset };
    }
    if (planned.type === 'tensorMap') {
      return { type: 'tensorMap', map: encodeTiles(variant, device, planned.tiles, operands) };
    }
    if (planned.type !== 'scratch') return planned;
    const buffer = scratch.get(planned.scratch);
    if (buffer === undefined)
      throw new ArgumentError(`The plan of ${variant.id} declares no scratch '${planned.scratch}'.`);
    return { type: 'pointer', buffer };
  };
  try {
    for (const { name, byteLength } of plan.scratch ?? []) scratch.set(name, device.allocateSync(byteLength));
    const launches = plan.launches.map((planned): BoundLaunch => {
      checkSignature(variant, planned);
      checkSharedBytes(variant, planned);
      const kernel = loaded.kernel(variant.symbols[planned.entry] as string);
      const config: LaunchConfig = {
        grid: planned.grid,
        block: planned.block,
        sharedBytes: planned.sharedBytes,
        ...(planned.cluster === undefined ? {} : { cluster: planned.cluster }),
      };
      const bound = { config, kernel, args: planned.args.map(toArg) };
      checkPlanned(variant, planned, bound);
      return bound;
    });
    const batch = prepareLaunches(device, launches, options);
    return new PreparedVariant(device, problem, plan, sums, batch, [...scratch.values()], owner);
  } catch (error) {
    for (const buffer of scratch.values()) buffer.close();
    throw error;
  }
}
