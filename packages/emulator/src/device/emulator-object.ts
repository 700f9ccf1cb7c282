import {
  ArgumentError,
  archNumber,
  ClosedError,
  type Device,
  type Dim3,
  type Kernel,
  type KernelAttributes,
  type LoadedObject,
  type ObjectCode,
  UnsupportedError,
} from '@ffma/core';
import { HEAP_START } from '../layout.js';
import type { PtxFunction, PtxModule, PtxVariable } from '../ptx/ast.js';
import { parsePtx } from '../ptx/parse.js';
import { prepareModule } from '../ptx/prepare.js';
import { Heap } from '../runtime/heap.js';
import type { PostedKernel } from '../runtime/messages.js';
import { type KernelMemory, layOut } from '../translate/kernel-memory.js';
import { modelKernel } from '../translate/kernel-model.js';
import { untranslatable } from '../translate/located.js';
import { lowerable, refuseApproximations } from '../translate/lowerable.js';
import type { Leak } from './leaks.js';

/** What an object needs from its device. */
export interface ObjectOwner {
  readonly device: Device;
  readonly heap: Heap;
  /** Whether instructions that give near results, not a GPU's, are let through. */
  readonly approximations: boolean;
  translate(ptx: string, moduleName: string, kernel: string, block: Dim3): Promise<PostedKernel>;
  afterPendingWork(free: () => void): void;
  forget(keys: readonly number[]): void;
}

/** A kernel of a loaded module; translated for each extent of blocks when first launched with it. */
export class EmulatorKernel implements Kernel {
  readonly device: Device;
  readonly name: string;
  readonly attributes: KernelAttributes;
  readonly paramSizes: readonly number[];
  readonly fn: PtxFunction;
  readonly memory: KernelMemory;
  /** Device addresses of the module-scope variables, in the order of `memory.moduleVariables`. */
  readonly variableAddresses: readonly bigint[];
  readonly #translate: (block: Dim3) => Promise<PostedKernel>;
  readonly #closed: () => boolean;
  readonly #translated = new Map<string, Promise<PostedKernel>>();

  constructor(
    owner: ObjectOwner,
    fn: PtxFunction,
    memory: KernelMemory,
    variableAddresses: readonly bigint[],
    translate: (block: Dim3) => Promise<PostedKernel>,
    closed: () => boolean,
  ) {
    this.#closed = closed;
    this.device = owner.device;
    this.name = fn.name;
    this.fn = fn;
    this.memory = memory;
    this.variableAddresses = variableAddresses;
    this.#translate = translate;
    this.paramSizes = fn.params.map((param) => param.byteLength);
    const { maxntid, reqntid } = fn.bounds;
    const most = (reqntid ?? maxntid)?.reduce((x, y) => x * y, 1);
    this.attributes = {
      numRegs: undefined,
      sharedBytes: memory.sharedBytes,
      localBytes: memory.localBytes,
      maxThreadsPerBlock: Math.min(most ?? Number.POSITIVE_INFINITY, owner.device.limits.maxThreadsPerBlock),
    };
  }

  get closed(): boolean {
    return this.#closed();
  }

  translated(block: Dim3): Promise<PostedKernel> {
    const key = block.join();
    let known = this.#translated.get(key);
    if (known === undefined) {
      known = this.#translate(block);
      this.#translated.set(key, known);
      known.catch(() => this.#translated.delete(key));
    }
    return known;
  }

  /** Keys of all translations made so far. */
  async keys(): Promise<number[]> {
    const settled = await Promise.allSettled(this.#translated.values());
    return settled.flatMap((s) => (s.status === 'fulfilled' ? [s.value.key] : []));
  }
}

/** A PTX module on the emulator: parsed and checked at load, so that unknown instructions are refused there. */
export class EmulatorObject implements LoadedObject {
  readonly device: Device;
  readonly object: ObjectCode;
  readonly ranAs = 'emulated';
  readonly #owner: ObjectOwner;
  readonly #kernels = new Map<string, EmulatorKernel>();
  readonly #variables: { start: number; byteLength: number }[] = [];
  #closed = false;

  /** @throws CompileError, UnsupportedError, OutOfMemoryError */
  constructor(owner: ObjectOwner, object: ObjectCode) {
    this.#owner = owner;
    this.device = owner.device;
    this.object = object;
    if (object.format !== 'ptx') {
      throw new UnsupportedError(`The emulator runs PTX, not machine code (${object.name}).`, {
        remedy: 'Load the PTX artefact of the kernel instead.',
      });
    }
    const text = object.text;
    const module = prepareModule(parsePtx(text, object.name), object.name);
    this.#checkTarget(module);
    const kernels = [...module.functions.values()].filter((fn) => fn.isEntry);
    const memories = kernels.map((fn) => {
      try {
        const memory = layOut(module, fn);
        const model = modelKernel(fn, object.name);
        lowerable(model, memory, object.name);
        if (!owner.approximations) refuseApproximations(model, object.name);
        return memory;
      } catch (cause) {
        throw untranslatable(fn.name, cause);
      }
    });
    // Last, so that a module that is refused leaves nothing behind.
    const addresses = this.#placeVariables(module);
    for (const [i, fn] of kernels.entries()) {
      const memory = memories[i]!;
      const translate = (block: Dim3) => owner.translate(text, object.name, fn.name, block);
      const closed = () => this.#closed;
      this.#kernels.set(fn.name, new EmulatorKernel(owner, fn, memory, addresses, translate, closed));
    }
  }

  #checkTarget(module: PtxModule): void {
    if (!/^sm_\d+[af]?$/.test(module.target)) {
      throw new UnsupportedError(
        `${this.object.name} has the unknown target '${module.target}'; the emulator takes targets such as ${this.device.arch}.`,
      );
    }
    if (archNumber(module.target) > archNumber(this.device.arch)) {
      throw new UnsupportedError(
        `${this.object.name} was compiled for ${module.target}, which is newer than the emulated ${this.device.arch}.`,
      );
    }
    if (module.addressSize !== 64) {
      throw new UnsupportedError(
        `${this.object.name} has ${module.addressSize}-bit addresses; the emulator has 64-bit ones.`,
      );
    }
  }

  /** @throws OutOfMemoryError; nothing is kept then */
  #placeVariables(module: PtxModule): bigint[] {
    try {
      return module.variables
        .filter((v) => v.space === 'global' || v.space === 'const')
        .map((variable) => this.#placeVariable(variable));
    } catch (error) {
      this.#releaseVariables();
      throw error;
    }
  }

  #placeVariable({ byteLength, initial }: PtxVariable): bigint {
    const { heap } = this.#owner;
    const start = heap.allocate(byteLength);
    this.#variables.push({ start, byteLength });
    heap.bytes.fill(0, HEAP_START + start, HEAP_START + start + byteLength);
    if (initial !== undefined) heap.bytes.set(initial, HEAP_START + start);
    heap.markValid(start, byteLength);
    return Heap.address(start);
  }

  #releaseVariables(): void {
    for (const { start, byteLength } of this.#variables) this.#owner.heap.release(start, byteLength);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** What it is where nobody closes it. */
  leak(): Leak {
    const byteLength = this.#variables.reduce((sum, variable) => sum + variable.byteLength, 0);
    return { kind: 'module', name: this.object.name, byteLength };
  }

  get kernelNames(): readonly string[] {
    return [...this.#kernels.keys()];
  }

  kernel(name: string): EmulatorKernel {
    if (this.#closed) throw new ClosedError('loaded object');
    const found = this.#kernels.get(name);
    if (found === undefined) {
      throw new ArgumentError(
        `${this.object.name} has no kernel '${name}'; it has ${this.kernelNames.join(', ') || 'none'}.`,
      );
    }
    return found;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const kernels = [...this.#kernels.values()];
    this.#owner.afterPendingWork(() => {
      this.#releaseVariables();
      void Promise.all(kernels.map((kernel) => kernel.keys())).then((keys) =>
        this.#owner.forget(keys.flat()),
      );
    });
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
