import type { Kernel, KernelAttributes } from '../device/kernel.js';
import type { LoadedObject, ObjectCode } from '../device/object-code.js';
import { ArgumentError, ClosedError } from '../errors.js';
import type { NativeFunction, NativeModule, NativeParam } from './binding.js';
import type { CudaDevice } from './cuda-device.js';
import { paramCount } from './param-count.js';

/** A kernel of a loaded object. */
export class CudaKernel implements Kernel {
  readonly device: CudaDevice;
  readonly name: string;
  readonly attributes: KernelAttributes;
  readonly paramSizes: readonly number[];
  readonly params: readonly NativeParam[];
  readonly #object: CudaObject;
  readonly #native: NativeFunction;

  /** Made by `object.kernel`. */
  constructor(object: CudaObject, native: NativeFunction) {
    this.device = object.device;
    this.#object = object;
    this.#native = native;
    this.name = native.name;
    this.attributes = native.attributes();
    this.params = native.params();
    this.paramSizes = this.params.map(({ size }) => size);
  }

  /** @throws ClosedError */
  get native(): NativeFunction {
    if (this.#object.closed) throw new ClosedError(`object that kernel ${this.name} is of`);
    return this.#native;
  }
}

/** A module in the driver. */
export class CudaObject implements LoadedObject {
  readonly device: CudaDevice;
  readonly object: ObjectCode;
  readonly ranAs: 'cubin' | 'jit';
  readonly kernelNames: readonly string[];
  /** What the driver's JIT said: warnings, or nothing. */
  readonly log: string;
  readonly #native: NativeModule;
  readonly #kernels = new Map<string, CudaKernel>();
  #closed = false;

  /** Made by `device.load`. */
  constructor(device: CudaDevice, object: ObjectCode, native: NativeModule) {
    this.device = device;
    this.object = object;
    this.ranAs = object.format === 'cubin' ? 'cubin' : 'jit';
    this.#native = native;
    this.kernelNames = native.functionNames;
    this.log = native.log;
  }

  get closed(): boolean {
    return this.#closed || this.device.closed;
  }

  kernel(name: string): CudaKernel {
    if (this.closed) throw new ClosedError(`loaded ${this.object.name}`);
    if (!this.kernelNames.includes(name)) {
      throw new ArgumentError(
        `${this.object.name} has no kernel '${name}'; it has ${this.kernelNames.join(', ') || 'none'}.`,
      );
    }
    const known = this.#kernels.get(name);
    if (known !== undefined) return known;
    const kernel = new CudaKernel(this, this.#native.function(name, paramCount(this.object, name)));
    this.#kernels.set(name, kernel);
    return kernel;
  }

  close(): void {
    if (this.closed) return;
    this.#closed = true;
    this.#native.unload();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
