import { figuresOn } from '@ffma/core';

/** A part of the study whose figures stand beside ours. It names no GPU. */
export const studied = (table: string) => ({ title: '“CUDA Kernel Study: SGEMM Optimization”', table });

export const elsewhere = figuresOn('another GPU');

/** A row of the study's table. */
export interface StudyRow {
  /** Its name there, the id of a variant here. */
  readonly name: string;
  /** The variant as `ffma` selects it. */
  readonly kernel: string;
  /** TFLOP/s at 4096³, by its snapshot table. */
  readonly tflops: number;
  /** The row it is a step from, and what the step is. None for the first. */
  readonly from?: string;
  readonly step?: string;
}

const W = '128x128x8_32x64x8';

/** Rows 4 to 39, in the study's order. */
export const studyRows: readonly StudyRow[] = [
  { name: 'naive_row', kernel: 'naive-row', tflops: 1.98 },
  { name: 'naive_col', kernel: 'naive-col', tflops: 0.28, from: 'naive_row', step: 'lanes down a column' },
  { name: 'smem_tiling', kernel: 'smem-tiling', tflops: 2.64, from: 'naive_row', step: 'shared memory' },
  {
    name: 'blocktiling_1d_v0_64x64x8_8',
    kernel: 'blocktiling-1d-v0',
    tflops: 8.14,
    from: 'smem_tiling',
    step: 'a strip a thread',
  },
  {
    name: 'blocktiling_1d_v1_64x64x8_8',
    kernel: 'blocktiling-1d-v1',
    tflops: 8.13,
    from: 'blocktiling_1d_v0_64x64x8_8',
    step: 'moving pointers',
  },
  {
    name: 'blocktiling_1d_v2_64x64x8_8',
    kernel: 'blocktiling-1d-v2',
    tflops: 8.96,
    from: 'blocktiling_1d_v1_64x64x8_8',
    step: 'A transposed',
  },
  {
    name: 'blocktiling_1d_v3_64x64x8_8',
    kernel: 'blocktiling-1d-v3',
    tflops: 8.89,
    from: 'blocktiling_1d_v2_64x64x8_8',
    step: 'one barrier',
  },
  {
    name: 'blocktiling_1d_v2_64x64x8_16',
    kernel: 'blocktiling-1d-v2/64x64x8_16',
    tflops: 10.66,
    from: 'blocktiling_1d_v2_64x64x8_8',
    step: 'strips of 16',
  },
  {
    name: 'blocktiling_1d_v2_128x128x8_64',
    kernel: 'blocktiling-1d-v2/128x128x8_64',
    tflops: 11.91,
    from: 'blocktiling_1d_v2_64x64x8_16',
    step: 'larger tile and strip',
  },
  {
    name: 'blocktiling_1d_v2_128x128x16_64',
    kernel: 'blocktiling-1d-v2/128x128x16_64',
    tflops: 12.16,
    from: 'blocktiling_1d_v2_128x128x8_64',
    step: 'BK 16',
  },
  {
    name: 'blocktiling_2d_128x128x8_8x8',
    kernel: 'blocktiling-2d',
    tflops: 17.48,
    from: 'blocktiling_1d_v2_128x128x8_64',
    step: 'patches',
  },
  {
    name: 'blocktiling_2d_128x128x16_8x8',
    kernel: 'blocktiling-2d/128x128x16_8x8',
    tflops: 19.1,
    from: 'blocktiling_2d_128x128x8_8x8',
    step: 'BK 16',
  },
  {
    name: 'blocktiling_2d_vec4_v0_128x128x8_8x8',
    kernel: 'blocktiling-2d-vec4-v0',
    tflops: 17.93,
    from: 'blocktiling_2d_128x128x8_8x8',
    step: 'four floats',
  },
  {
    name: 'blocktiling_2d_vec4_v0_128x128x16_8x8',
    kernel: 'blocktiling-2d-vec4-v0/128x128x16_8x8',
    tflops: 19.96,
    from: 'blocktiling_2d_128x128x16_8x8',
    step: 'four floats',
  },
  {
    name: 'blocktiling_2d_vec4_v1_128x128x8_8x8',
    kernel: 'blocktiling-2d-vec4-v1',
    tflops: 19.05,
    from: 'blocktiling_2d_vec4_v0_128x128x8_8x8',
    step: 'whole sectors of A',
  },
  {
    name: 'blocktiling_2d_vec4_v1_128x128x16_8x8',
    kernel: 'blocktiling-2d-vec4-v1/128x128x16_8x8',
    tflops: 20.13,
    from: 'blocktiling_2d_vec4_v0_128x128x16_8x8',
    step: 'whole sectors of A',
  },
  {
    name: `warptiling_v0_${W}`,
    kernel: 'warptiling-v0',
    tflops: 17.67,
    from: 'blocktiling_2d_128x128x8_8x8',
    step: 'warp tiles',
  },
  {
    name: 'warptiling_v0_128x128x16_32x64x16',
    kernel: 'warptiling-v0/128x128x16_32x64x16',
    tflops: 19.43,
    from: 'blocktiling_2d_128x128x16_8x8',
    step: 'warp tiles',
  },
  {
    name: `warptiling_v1_${W}`,
    kernel: 'warptiling-v1',
    tflops: 19.44,
    from: `warptiling_v0_${W}`,
    step: 'lanes in pairs',
  },
  {
    name: `warptiling_v2_${W}`,
    kernel: 'warptiling-v2',
    tflops: 20.7,
    from: `warptiling_v1_${W}`,
    step: 'two stages',
  },
  {
    name: `warptiling_v2_vec4_${W}`,
    kernel: `warptiling-v2/vec4_${W}`,
    tflops: 23.01,
    from: `warptiling_v2_${W}`,
    step: 'four floats',
  },
  {
    name: `warptiling_v3_${W}`,
    kernel: 'warptiling-v3',
    tflops: 20.96,
    from: `warptiling_v2_${W}`,
    step: 'L2::128B',
  },
  {
    name: `warptiling_v3_vec4_${W}`,
    kernel: `warptiling-v3/vec4_${W}`,
    tflops: 23.75,
    from: `warptiling_v2_vec4_${W}`,
    step: 'L2::128B',
  },
  {
    name: `warptiling_v4_${W}`,
    kernel: 'warptiling-v4',
    tflops: 21.66,
    from: `warptiling_v3_${W}`,
    step: 'predicates',
  },
  {
    name: `warptiling_v4_vec4_${W}`,
    kernel: `warptiling-v4/vec4_${W}`,
    tflops: 23.7,
    from: `warptiling_v3_vec4_${W}`,
    step: 'predicates',
  },
  {
    name: `warptiling_v5_${W}`,
    kernel: 'warptiling-v5',
    tflops: 21.79,
    from: `warptiling_v4_${W}`,
    step: 'prefetch in a chunk',
  },
  {
    name: `warptiling_v5_vec4_${W}`,
    kernel: `warptiling-v5/vec4_${W}`,
    tflops: 23.47,
    from: `warptiling_v4_vec4_${W}`,
    step: 'prefetch in a chunk',
  },
  {
    name: `warptiling_v6_${W}`,
    kernel: 'warptiling-v6',
    tflops: 21.85,
    from: `warptiling_v5_${W}`,
    step: 'prefetch across chunks',
  },
  {
    name: `warptiling_v6_vec4_${W}`,
    kernel: `warptiling-v6/vec4_${W}`,
    tflops: 22.83,
    from: `warptiling_v5_vec4_${W}`,
    step: 'prefetch across chunks',
  },
  {
    name: `warptiling_v7_${W}`,
    kernel: 'warptiling-v7',
    tflops: 22.01,
    from: `warptiling_v6_${W}`,
    step: 'C by way of shared memory',
  },
  {
    name: `warptiling_v7_vec4_${W}`,
    kernel: `warptiling-v7/vec4_${W}`,
    tflops: 23.76,
    from: `warptiling_v6_vec4_${W}`,
    step: 'C by way of shared memory',
  },
  {
    name: `warptiling_v8_${W}`,
    kernel: 'warptiling-v8',
    tflops: 22.21,
    from: `warptiling_v7_${W}`,
    step: 'three parts of the loop',
  },
  {
    name: `warptiling_v8_vec4_${W}`,
    kernel: `warptiling-v8/vec4_${W}`,
    tflops: 23.7,
    from: `warptiling_v7_vec4_${W}`,
    step: 'three parts of the loop',
  },
  {
    name: `warptiling_v9_${W}`,
    kernel: 'warptiling-v9',
    tflops: 22.27,
    from: `warptiling_v8_${W}`,
    step: 'a later fetch',
  },
  {
    name: `warptiling_v10_${W}`,
    kernel: 'warptiling-v10',
    tflops: 22.74,
    from: `warptiling_v9_${W}`,
    step: 'the symbol',
  },
  {
    name: `warptiling_v11_${W}`,
    kernel: 'warptiling-v11',
    tflops: 22.94,
    from: `warptiling_v9_${W}`,
    step: 'grouped tiles',
  },
];

/** Milliseconds at 4096³, where the study gives them. */
export const studyMs: Readonly<Record<string, number>> = {
  [`warptiling_v7_vec4_${W}`]: 5.784,
  [`warptiling_v9_${W}`]: 6.17,
  [`warptiling_v10_${W}`]: 6.041,
  [`warptiling_v11_${W}`]: 5.991,
};

/** What the study published of a row. */
export function publishedOf({ name, tflops }: StudyRow) {
  const ms = studyMs[name];
  return [
    ...elsewhere.fixed('TFLOP/s', { 4096: tflops }),
    ...(ms === undefined ? [] : elsewhere.fixed('us', { 4096: ms * 1000 })),
  ];
}

/** A row by its version of warptiling, one float at a time. @throws Error where there is none */
export function warptiling(version: number): StudyRow {
  const found = studyRows.find(({ name }) => name === `warptiling_v${version}_${W}`);
  if (found === undefined) throw new Error(`The study has no warptiling_v${version}_${W}.`);
  return found;
}
