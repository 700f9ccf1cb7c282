import { ArgumentError } from '@ffma/core';
import { type CanaryKind, canaryWord } from './canary-words.js';

export type MatrixName = 'a' | 'b' | 'c';

/** Where a matrix lies in its buffer. All in 32-bit words. */
export interface MatrixLayout {
  readonly name: MatrixName;
  readonly rows: number;
  readonly cols: number;
  /** From one row to the next; at least `cols`. */
  readonly ld: number;
  /** Index of the first element. */
  readonly start: number;
  /** Of the whole buffer, bands included. */
  readonly length: number;
}

export interface LayoutOptions {
  /** Distance of the first element from an allocation's alignment. Default 0. */
  readonly offset?: number;
  /**
   * `bands`: memory before and after that must not change, 32 rows of it behind, where a tile too many would land.
   * `none`: the buffer ends with the last element, so that a device that checks bounds sees every stray access.
   */
  readonly guards?: 'bands' | 'none';
}

/** A multiple of 64, so that a band in front does not change the alignment. */
const BAND = 256;
const BAND_ROWS = 32;
const MOST_BAND = 65_536;

export function matrixLayout(
  name: MatrixName,
  rows: number,
  cols: number,
  ld: number,
  options: LayoutOptions = {},
): MatrixLayout {
  const { offset = 0, guards = 'bands' } = options;
  if (!Number.isInteger(offset) || offset < 0) {
    throw new ArgumentError(
      `The offset of ${name} must be a whole number of elements, at least 0, but is ${offset}.`,
    );
  }
  const span = rows === 0 || cols === 0 ? 0 : (rows - 1) * ld + cols;
  const before = guards === 'bands' ? BAND : 0;
  const after = guards === 'bands' ? BAND + Math.min(BAND_ROWS * ld, MOST_BAND) : 0;
  return { name, rows, cols, ld, start: before + offset, length: before + offset + span + after };
}

/** A buffer's content on the host: one memory seen as words and as float32. */
export class MatrixImage {
  readonly layout: MatrixLayout;
  readonly words: Uint32Array;
  readonly values: Float32Array;

  constructor(layout: MatrixLayout, words: Uint32Array = new Uint32Array(layout.length)) {
    this.layout = layout;
    this.words = words;
    this.values = new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  /** Bands and padding hold canaries, elements what `element` says, called in row-major order. */
  static make(layout: MatrixLayout, element: (row: number, col: number) => number): MatrixImage {
    const image = new MatrixImage(layout);
    const { name, rows, cols, ld, start, length } = layout;
    const span = rows === 0 || cols === 0 ? 0 : (rows - 1) * ld + cols;
    for (let i = 0; i < length; i++) {
      const inside = i >= start && i < start + span;
      image.words[i] = canaryWord(inside ? 'padding' : 'guard', name, i);
    }
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) image.values[start + row * ld + col] = element(row, col);
    }
    return image;
  }

  /** A copy in which every element is a canary of this kind. */
  filled(kind: CanaryKind): MatrixImage {
    const copy = new MatrixImage(this.layout, this.words.slice());
    const { name, rows, cols, ld, start } = this.layout;
    for (let row = 0; row < rows; row++) {
      const first = start + row * ld;
      for (let i = first; i < first + cols; i++) copy.words[i] = canaryWord(kind, name, i);
    }
    return copy;
  }

  /** The elements alone, rows×cols, without padding. */
  elements(): Float32Array {
    const { rows, cols, ld, start } = this.layout;
    const out = new Float32Array(rows * cols);
    for (let row = 0; row < rows; row++) {
      const first = start + row * ld;
      out.set(this.values.subarray(first, first + cols), row * cols);
    }
    return out;
  }
}
