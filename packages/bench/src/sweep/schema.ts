import { z } from 'zod';
import { deviceSchema, hostSchema } from '../result/made-by-schema.js';
import { count, name, positive } from '../result/parts.js';
import { identitySchema, recordSchema, shardSchema, sizeSchema } from './records.js';

const params = z.record(z.string(), z.union([z.number(), z.boolean()]));

const reasonSchema = z.object({ reason: name, count });

const rankedSchema = z.object({
  id: name,
  rung: z
    .union([count, z.literal('final')])
    .optional()
    .describe('The last one that it was timed in, from 0.'),
  rounds: count.optional().describe('Of that rung.'),
  medianUs: positive.optional(),
  tflops: positive.optional(),
  ratio: z
    .object({ median: positive, min: positive, max: positive, wins: count })
    .optional()
    .describe("The reference's time of a round divided by its own of the same round; over 1 is faster."),
  counter: z.number().optional().describe('What it is ranked by, where that is no time.'),
});

const sizeResultSchema = z.object({
  size: sizeSchema,
  refused: z
    .array(z.object({ reason: name, ids: z.array(name) }))
    .describe('Candidates that do not take this size, and why.'),
  ranking: z
    .array(rankedSchema)
    .describe('Best first: by the last rung, then by the ratio, or by the counter.'),
  winner: name.optional().describe('Absent where nothing was ranked to the end.'),
  together: z.boolean().describe('Whether all finalists ran in the same rounds.'),
});

/** What `ffma sweep --json` writes. Its records hold all that was found out; the rest follows from them. */
export const sweepSchema = z
  .object({
    schemaVersion: z.literal(1),
    kind: z.literal('sweep'),
    createdAt: z.iso.datetime(),
    tool: z.record(z.string(), z.string()).describe('Versions of the ffma packages that made it.'),
    interrupted: z.literal(true).optional(),
    identity: identitySchema,
    host: hostSchema,
    device: deviceSchema,
    space: z
      .object({ points: count, refused: count, reasons: z.array(reasonSchema), candidates: count })
      .describe('Points of the space, and which rules refused how many, before anything was compiled.'),
    shards: z
      .array(shardSchema)
      .optional()
      .describe('Parts of the space that were swept, where it is not all of it.'),
    variants: z
      .array(
        z.object({
          id: name,
          params,
          outcome: z
            .enum(['built', 'refused', 'spills', 'too large', 'wrong', 'unknown'])
            .describe('`unknown`: not compiled or not checked yet.'),
          reason: z.string().optional(),
          registers: count.optional(),
          sharedBytes: count.optional(),
          blocksPerSm: count.optional(),
        }),
      )
      .describe('Every candidate of these parts, by id.'),
    sizes: z.array(sizeResultSchema),
    notes: z.array(z.string()).describe('What a reader must know, as sentences.'),
    records: z.array(recordSchema),
  })
  .describe('Results of ffma sweep.');

export type SweepResult = z.infer<typeof sweepSchema>;
export type SweepSize = z.infer<typeof sizeResultSchema>;
export type Ranked = z.infer<typeof rankedSchema>;
export type SweptVariant = SweepResult['variants'][number];
