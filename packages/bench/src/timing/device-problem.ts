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

export interface ProblemOptions {
  /** Of its numbers. Default 1. */
  readonly seed?: number;
  /** Rows of C to judge one by one. Default: as many as are quick. */
  readonly judgedRows?: number | undefined;
}

interface Buffers {
  readonly a: Buffer;
  readonly b: Buffer;
  readonly c: Buffer;
  /** What C is before each launch, where it is read. */
  readonly c0: Buffer | undefined;
}

/** A problem of one size in device memory, to be put before any number of kernels in turn. */
export class DeviceProblem implements Disposable {
  readonly shape: GemmShape;
  readonly set: DataSetName;
  readonly judge: SampledJudge;
  readonly operands: GemmOperands;
  readonly #data: ProblemData;
  readonly #buffers: Buffers;

  private constructor(shape: GemmShape, set: DataSetName, judge: SampledJudge, buffers: Buffers) {
    const { data } = judge;
    this.shape = shape;
    this.set = set;
    this.judge = judge;
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
    shape: GemmShape,
    set: DataSetName,
    { seed = 1, judgedRows }: ProblemOptions = {},
  ): Promise<DeviceProblem> {
    const made = makeProblemData(shape, { data: set, seed });
    const reads = made.problem.beta !== 0;
    const data = reads ? made : { ...made, c: poisoned(made.c) };
    const open: Buffer[] = [];
    const copied = async ({ words }: MatrixImage) => {
      const buffer = await device.allocate(words.byteLength);
      open.push(buffer);
      await buffer.copyFrom(stream, words);
      return buffer;
    };
    try {
      const buffers = {
        a: await copied(data.a),
        b: await copied(data.b),
        c: await copied(data.c),
        c0: reads ? await copied(data.c) : undefined,
      };
      const judge = new SampledJudge(data, judgedRows === undefined ? {} : { rows: judgedRows });
      return new DeviceProblem(shape, set, judge, buffers);
    } catch (error) {
      for (const buffer of open) buffer.close();
      throw error;
    }
  }

  /** Enqueues what C has to be before a launch: NaN in all its elements; where it is read, what it was at first. */
  readonly poison = (stream: Stream): void => {
    const { c, c0 } = this.#buffers;
    if (c0 === undefined) {
      const { start, rows, cols } = this.#data.c.layout;
      c.fill(stream, POISON, start * 4, rows * cols * 4);
      return;
    }
    // Whoever waits for the stream learns of a failure.
    c.copyFrom(stream, c0).catch(() => undefined);
  };

  /** Places of a driver's queue that {@link poison} takes: a fill; a copy, and what tells that it is over. */
  get poisonPlaces(): number {
    return this.#buffers.c0 === undefined ? 1 : 2;
  }

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
    for (const buffer of Object.values(this.#buffers)) buffer?.close();
  }
}
