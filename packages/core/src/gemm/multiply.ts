import { checkDevice } from '../device/checks.js';
import type { Device } from '../device/device.js';
import { shown } from '../device/shown.js';
import { ArgumentError, OutOfMemoryError } from '../errors.js';
import type { Gemm } from './gemm.js';
import { type GemmShape, gemmProblem, matrixBytes } from './problem.js';

export interface MultiplyOptions extends GemmShape {
  /** Values of C before the product; needed where beta is not 0. Not changed. */
  readonly c?: Float32Array;
  /** Compile the kernel where no built artefact fits. Default as that of `load`. */
  readonly compile?: boolean;
}

function checkLength(name: string, values: Float32Array, bytes: number, shape: string): void {
  if (!(values instanceof Float32Array)) throw new ArgumentError(`${name} must be a Float32Array.`);
  if (values.byteLength < bytes) {
    throw new ArgumentError(
      `${name} is ${shape}, so it needs ${bytes / 4} elements, but has ${values.length}${values.buffer.byteLength === 0 && bytes > 0 ? ' (is it detached?)' : ''}.`,
    );
  }
}

const optionNames = ['m', 'n', 'k', 'alpha', 'beta', 'lda', 'ldb', 'ldc', 'c', 'compile'];

function checkOptions(options: MultiplyOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new ArgumentError(`multiply needs options, at least { m, n, k }, but got ${shown(options)}.`);
  }
  const unknown = Object.keys(options).filter((name) => !optionNames.includes(name));
  if (unknown.length > 0) {
    throw new ArgumentError(
      `multiply has no option ${unknown.join(', ')}; it has ${optionNames.join(', ')}.`,
      { remedy: 'Matrices are row-major and not transposed.' },
    );
  }
}

function zeros(bytes: number, shape: string): Float32Array {
  try {
    return new Float32Array(bytes / 4);
  } catch (cause) {
    throw new OutOfMemoryError(`C is ${shape}, and its ${bytes} bytes do not fit into one array.`, {
      remedy: 'Multiply parts of it: load and prepare the kernel, and copy C piece by piece.',
      cause,
    });
  }
}

/**
 * alpha·A·B + beta·C on a device, from host memory to host memory, all row-major: the one-line form, for when
 * speed does not matter. To run many times, `load` the kernel, `prepare` once, and `enqueue`.
 *
 * @param a m×k elements with leading dimension lda
 * @param b k×n elements with leading dimension ldb
 * @returns C with leading dimension ldc; its padding is that of `options.c`, else 0
 * @throws ArgumentError, OutOfMemoryError, UnsupportedError, KernelFaultError
 */
export async function multiply(
  device: Device,
  kernel: Gemm,
  a: Float32Array,
  b: Float32Array,
  options: MultiplyOptions,
): Promise<Float32Array> {
  checkDevice('multiply', device);
  if (typeof (kernel?.load ?? kernel?.forShape) !== 'function') {
    throw new ArgumentError(`multiply needs a kernel, but got ${shown(kernel)}.`, {
      remedy: 'Pass one that a kernel package exports.',
    });
  }
  checkOptions(options);
  const { c: initial, compile, ...shape } = options;
  const { m, n, k, lda, ldb, ldc, beta } = gemmProblem(shape);
  checkLength('A', a, matrixBytes(m, k, lda), `${m}×${k} with leading dimension ${lda}`);
  checkLength('B', b, matrixBytes(k, n, ldb), `${k}×${n} with leading dimension ${ldb}`);
  if (beta !== 0 && initial === undefined) {
    throw new ArgumentError(`beta is ${beta}, so C is read, but options.c is missing.`, {
      remedy: 'Pass c, or beta: 0.',
    });
  }
  const shapeOfC = `${m}×${n} with leading dimension ${ldc}`;
  const c = zeros(matrixBytes(m, n, ldc), shapeOfC);
  if (initial !== undefined) {
    checkLength('C', initial, c.byteLength, shapeOfC);
    c.set(initial.subarray(0, c.length));
  }
  const filled = kernel.open === true ? (kernel.forShape?.({ m, n, k }) ?? kernel) : kernel;
  using loaded = await filled.load(device, compile === undefined ? {} : { compile });
  using bufferA = await device.allocate(a.byteLength);
  using bufferB = await device.allocate(b.byteLength);
  using bufferC = await device.allocate(c.byteLength);
  using stream = device.createStream();
  using prepared = loaded.prepare(shape, { a: bufferA, b: bufferB, c: bufferC });
  const copies = [bufferA.copyFrom(stream, a), bufferB.copyFrom(stream, b), bufferC.copyFrom(stream, c)];
  prepared.enqueue(stream);
  await Promise.all([...copies, bufferC.copyTo(stream, c)]);
  return c;
}
