import { edgesOf, type Scalar, widthOf } from './scalar-values.js';

/** A tensor map over the input or the output, as a matrix of floats, which is the kernel's last parameter. */
export interface GoldenMap {
  readonly of: 'in' | 'out';
  readonly rows: number;
  readonly cols: number;
  readonly tile: readonly [rows: number, cols: number];
  readonly swizzle: 'none' | '32B' | '64B' | '128B';
}

/** A kernel of 4 blocks of 64 threads for what is no function of registers: memory, and other lanes. */
export interface GoldenKernel {
  readonly name: string;
  /** What the output holds, one value in 8 bytes. */
  readonly result: Scalar;
  readonly ptx: string;
  /** Inputs of position after position, a value of 8 bytes a thread. */
  readonly input: BigUint64Array;
  /** Values a thread has in the output: the first of all threads, then the second… */
  readonly outputs: number;
  readonly map?: GoldenMap;
}

export const THREADS = 256;
const HEAD = `.reg .pred %p<8>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<20>; .reg .f64 %fd<20>;
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.s32 %r2, %r1, 64, %r0; mov.u32 %r3, %laneid;
mul.wide.u32 %rd0, %r2, 8; ld.param.u64 %rd1, [in]; add.s64 %rd1, %rd1, %rd0; ld.param.u64 %rd2, [out]; add.s64 %rd2, %rd2, %rd0;`;

export const PLANE = 8 * THREADS;
export const bits = (type: Scalar) => (type === 'f32' || type === 'f64' ? type : `b${widthOf(type)}`);
export const register = (type: Scalar, n: number) =>
  type === 'f32'
    ? `%f${n}`
    : type === 'f64'
      ? `%fd${n}`
      : widthOf(type) === 64
        ? `%rd${20 + n}`
        : `%r${20 + n}`;

export function goldenKernel(
  name: string,
  result: Scalar,
  body: string,
  outputs: number,
  args: readonly Scalar[],
  map?: GoldenMap,
): GoldenKernel {
  const input = new BigUint64Array(Math.max(1, args.length) * THREADS);
  for (const [position, type] of args.entries()) {
    const edges = edgesOf(type);
    for (let i = 0; i < THREADS; i++) {
      const index = position === 0 ? i : position === 1 ? i >> 4 : 5 * i + 3 * (i >> 4);
      input[position * THREADS + i] = edges[index % edges.length]!;
    }
  }
  const params = `.param .u64 in, .param .u64 uni, .param .u64 out${map === undefined ? '' : ', .param .align 64 .b8 map[128]'}`;
  const ptx = `.version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k(${params}) {\n${HEAD}\n${body}\nret;\n}\n`;
  return { name, result, ptx, input, outputs, ...(map === undefined ? {} : { map }) };
}
