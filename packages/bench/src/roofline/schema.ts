import { z } from 'zod';
import { deviceSchema, hostSchema, packageSchema, problemSchema } from '../result/made-by-schema.js';
import { count, name, positive } from '../result/parts.js';

const spreadOf = {
  medianUs: positive.describe("Median of the rounds' medians."),
  minUs: positive,
  maxUs: positive,
};

const computeSchema = z.object({
  name: name.describe('`ffma`, `outer-product`.'),
  title: z.string(),
  tflops: positive,
  flops: positive.describe('Floating-point operations of a launch; an FFMA is two.'),
  ofNominal: positive
    .optional()
    .describe('Share of SMs × lanes × 2 × highest clock; absent where that is not known.'),
  ...spreadOf,
});

const memorySchema = z.object({
  name: name.describe('`copy`, `read`.'),
  title: z.string(),
  gbps: positive.describe('10⁹ bytes a second; of a copy, bytes read plus bytes written.'),
  bytes: positive.describe('Bytes that a launch moves.'),
  ...spreadOf,
});

const pointSchema = z.object({
  id: name.describe('Variant id.'),
  kernel: name.describe('Short name.'),
  package: packageSchema,
  role: z.literal('reference').optional(),
  problem: problemSchema,
  medianUs: positive.describe('From the benchmark, never from a profiler.'),
  tflops: positive,
  dram: z
    .object({
      readBytes: count,
      writtenBytes: count,
      source: z
        .enum(['ncu', 'model'])
        .describe('`model`: of the L2 cache by the emulator, not a measurement.'),
      by: name.describe('Profiler and version, or the model.'),
    })
    .describe('Bytes between the L2 cache and DRAM, of all launches of the plan.'),
  intensity: positive.describe('FLOP per byte of DRAM.'),
  roofTflops: positive.describe('The lower of the FFMA peak and intensity × copy bandwidth.'),
  ofRoof: positive.describe('tflops ÷ roofTflops.'),
  bound: z.enum(['compute', 'memory']).describe('Which of the two roofs is lower there.'),
});

/** A result file of `ffma roofline`. */
export const rooflineSchema = z
  .object({
    schemaVersion: z.literal(1),
    kind: z.literal('roofline'),
    createdAt: z.iso.datetime(),
    tool: z.record(z.string(), z.string()).describe('Versions of the ffma packages that made it.'),
    protocol: z.object({
      name,
      version: count,
      parameters: z.record(z.string(), z.union([z.number(), z.string()])),
    }),
    host: hostSchema,
    device: deviceSchema,
    compute: z.array(computeSchema).min(1).describe('The first, `ffma`, is the roof of the points.'),
    memory: z.array(memorySchema).min(1).describe('The first, `copy`, is the slope of the roof.'),
    nominalTflops: positive.optional().describe('SMs × lanes × 2 × highest clock.'),
    ridge: positive.describe('FLOP per byte at which both roofs meet.'),
    points: z.array(pointSchema),
    notes: z.array(z.string()).describe('What was not known or not done, as sentences.'),
  })
  .describe('Results of ffma roofline.');

export type RooflineResult = z.infer<typeof rooflineSchema>;
export type ComputeCeiling = z.infer<typeof computeSchema>;
export type MemoryCeiling = z.infer<typeof memorySchema>;
export type RooflinePoint = z.infer<typeof pointSchema>;
