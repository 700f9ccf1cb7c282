import type { Buffer, Device, GemmOperands, GemmShape, MatrixRef, Stream } from '@ffma/core';
import {
  type DataSetName,
  MatrixImage,
  makeProblemData,
  type Outcome,
  type ProblemData,
  SampledJudge,
} from '@ffma/verify';

/** A quiet NaN whose payload tells it from those that arithmetic makes. */
const POISON = 0x7fc0_ffee;

/** C in which every element is the same NaN, so that a device can make it again by a fill. */
function poisoned(c: MatrixImage): MatrixImage {
  const image = new MatrixImage(c.layout, c.words.slice());
  const { start, rows, cols, ld } = c.layout;
  for (let row = 0; row < rows; row++) {
    image.words.fill(POISON, start + row * ld, start + row * ld + cols);
  }
  return image;
}

/** A problem of one size in device memory, to be put before any number of kernels in turn. */
export class DeviceProblem implements Disposable {
  readonly shape: GemmShape;
  readonly set: DataSetName;
  readonly judge: SampledJudge;
  readonly operands: GemmOperands;
  readonly #data: ProblemData;
  readonly #buffers: { readonly a: Buffer; readonly b: Buffer; readonly c: Buffer };

  private constructor(
    shape: GemmShape,
    set: DataSetName,
    data: ProblemData,
    buffers: { a: Buffer; b: Buffer; c: Buffer },
  ) {
    this.shape = shape;
    this.set = set;
    this.judge = new SampledJudge(data);
    this.#data = data;
    this.#buffers = buffers;
    const at = (name: 'a' | 'b' | 'c'): MatrixRef => ({
      buffer: buffers[name],
      byteOffset: data[name].layout.start * 4,
    });
    this.operands = { a: at('a'), b: at('b'), c: at('c') };
  }

  /** @throws OutOfMemoryError; ArgumentError where the data set cannot serve the size */
  static async upload(
    device: Device,
    stream: Stream,
    shape: Pick<GemmShape, 'm' | 'n' | 'k'>,
    set: DataSetName,
  ): Promise<DeviceProblem> {
    const made = makeProblemData(shape, { data: set });
    const data = { ...made, c: poisoned(made.c) };
    const open: Buffer[] = [];
    try {
      for (const name of ['a', 'b', 'c'] as const) {
        const { words } = data[name];
        const buffer = await device.allocate(words.byteLength);
        open.push(buffer);
        await buffer.copyFrom(stream, words);
      }
    } catch (error) {
      for (const buffer of open) buffer.close();
      throw error;
    }
    const [a, b, c] = open as [Buffer, Buffer, Buffer];
    return new DeviceProblem(shape, set, data, { a, b, c });
  }

  /** Enqueues a fill of C's elements with NaN. */
  readonly poison = (stream: Stream): void => {
    const { start, rows, cols } = this.#data.c.layout;
    this.#buffers.c.fill(stream, POISON, start * 4, rows * cols * 4);
  };

  /** The three buffers as they are when everything enqueued so far has finished. */
  async download(stream: Stream): Promise<Outcome> {
    const { a, b, c } = this.#buffers;
    const words = (buffer: Buffer) => new Uint32Array(buffer.byteLength / 4);
    const outcome = { a: words(a), b: words(b), c: words(c) };
    await Promise.all([
      a.copyTo(stream, outcome.a),
      b.copyTo(stream, outcome.b),
      c.copyTo(stream, outcome.c),
    ]);
    return outcome;
  }

  [Symbol.dispose](): void {
    for (const buffer of Object.values(this.#buffers)) buffer.close();
  }
}
