import { z } from 'zod';
import { deviceSchema, hostSchema, packageSchema } from '../result/made-by-schema.js';
import { count, name, positive } from '../result/parts.js';

const value = z.union([z.number(), z.boolean()]);
export const sizeSchema = z.object({ m: count, n: count, k: count });
export const shardSchema = z.object({ index: count, count });
const id = name.describe('Variant id.');
const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const identitySchema = z
  .object({
    kernel: name,
    package: packageSchema,
    source: digest.describe('Of the kernel source and every header of it.'),
    space: z.record(z.string(), z.array(value)).describe('Values searched, by parameter.'),
    params: z
      .record(z.string(), value)
      .describe('All parameters, with the values of those that are not searched.'),
    device: z
      .object({
        kind: name,
        name,
        arch: name,
        driver: name.optional(),
        details: z.record(z.string(), value).optional(),
      })
      .describe('The model, not the one card.'),
    compiler: name,
    reference: z.object({ id: name, package: packageSchema }).optional().describe('It runs in every round.'),
    rankedBy: name.describe('`ratio`: of times, to the reference; else a counter; or `nothing`.'),
    protocol: z.object({
      name,
      version: count,
      parameters: z.record(z.string(), z.union([z.number(), z.string()])),
    }),
    tool: z.record(z.string(), z.string()).describe('Versions of the ffma packages.'),
  })
  .describe('What must be the same for measurements to be put together.');

const sessionRecord = z
  .object({
    type: z.literal('session'),
    session: name,
    at: z.iso.datetime(),
    sizes: z.array(sizeSchema),
    shard: shardSchema.optional(),
    host: hostSchema,
    device: deviceSchema,
    peakTflops: positive.optional().describe('What no FP32 kernel can exceed.'),
  })
  .describe('A process that worked on the sweep.');

const compiledRecord = z
  .object({
    type: z.literal('compiled'),
    id,
    size: sizeSchema.optional().describe('Where the sizes are compiled in.'),
    outcome: z.enum(['built', 'refused', 'spills', 'too large']),
    reason: z.string().optional().describe('Why it goes no further.'),
    sha256: digest.optional().describe('Absent where the compiler does not make the same bytes twice.'),
    arch: name.optional(),
    registers: count.optional().describe('Of a thread; absent where no ptxas ran.'),
    sharedBytes: count.optional().describe('Of a block, static and dynamic.'),
    spillBytes: count.optional(),
    blocksPerSm: count.optional(),
    ms: z.number().nonnegative().describe('Time it took; near 0 where it was cached.'),
  })
  .describe('A variant went through the compiler.');

const checkedRecord = z
  .object({
    type: z.literal('checked'),
    id,
    level: z
      .enum(['quick', 'size', 'full', 'after'])
      .describe(
        'Quick cases; the numbers that it is timed with; all cases and exact integers; after the final.',
      ),
    size: sizeSchema.optional(),
    status: z.enum(['passed', 'failed', 'refused']),
    gates: z.array(name),
    failures: z.array(z.string()),
  })
  .describe('What a variant computes was judged.');

const countedRecord = z
  .object({
    type: z.literal('counted'),
    id,
    size: sizeSchema,
    values: z.record(z.string(), z.number().nullable()),
  })
  .describe('What a variant does was counted, on the emulator.');

const rungName = z.union([count, z.literal('final')]);

const roundRecord = z
  .object({
    type: z.literal('round'),
    session: name,
    at: z.iso.datetime(),
    size: sizeSchema,
    rung: rungName,
    heat: z
      .array(name)
      .describe('Candidates that were timed together, in order; the reference comes before them.'),
    round: count,
    attempt: count,
    used: z.boolean().describe('False where it was run again because the GPU was throttled.'),
    throttledBy: z.array(name),
    referenceUs: z.array(positive).describe('Each launch.'),
    us: z.array(z.array(positive)).describe('Launches of each candidate.'),
    clocks: z.object({ smMHz: z.array(z.number()), powerW: z.array(z.number()) }).optional(),
  })
  .describe('One turn of the reference and every candidate of a heat.');

const finishedRecord = z
  .object({
    type: z.literal('finished'),
    session: name,
    at: z.iso.datetime(),
    size: sizeSchema,
    field: z.array(name).describe('Candidates that it was between, sorted.'),
    finalists: z.array(name).describe('Those of its final, sorted.'),
  })
  .describe('A tournament came to its end.');

/** What is written down as soon as it is known: a line of the journal, and what a result keeps of it. */
export const recordSchema = z.discriminatedUnion('type', [
  sessionRecord,
  compiledRecord,
  checkedRecord,
  countedRecord,
  roundRecord,
  finishedRecord,
]);

export const headerSchema = z.object({
  type: z.literal('sweep'),
  version: z.literal(1),
  identity: identitySchema,
});

export type Identity = z.infer<typeof identitySchema>;
export type SweepRecord = z.infer<typeof recordSchema>;
export type Compiled = z.infer<typeof compiledRecord>;
export type Checked = z.infer<typeof checkedRecord>;
export type Counted = z.infer<typeof countedRecord>;
export type RoundRecord = z.infer<typeof roundRecord>;
export type Finished = z.infer<typeof finishedRecord>;
export type SessionRecord = z.infer<typeof sessionRecord>;
export type RungName = z.infer<typeof rungName>;
