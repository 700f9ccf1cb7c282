import { z } from 'zod';
import { gitSchema, problemSchema } from '../result/made-by-schema.js';
import { count, name, positive, variantRef } from '../result/parts.js';

const fileSchema = z
  .object({
    from: name.describe('Path of the result file, or `revision:path`.'),
    createdAt: z.iso.datetime(),
    tool: z.record(z.string(), z.string()).describe('Versions of the ffma packages that made it.'),
    device: z.object({ name, driver: z.string().optional() }),
    protocol: z.object({ name, version: count }),
    git: gitSchema.optional(),
    experiment: name.optional(),
  })
  .describe('One of the two result files of a pair.');

const pairSchema = z.object({
  base: fileSchema,
  new: fileSchema,
  warnings: z.array(z.string()).describe('What makes their figures less comparable, as sentences.'),
});

const sideSchema = z.object({
  version: name.describe('Of the package of the kernel.'),
  medianUs: positive.optional().describe("Median of the rounds' medians; absent where there are no times."),
  level: positive
    .optional()
    .describe(
      'What the rounds come to, in the unit of perRound: a trimmed mean in which odd and even rounds weigh the same.',
    ),
  perRound: z
    .array(positive)
    .describe("What was compared: of each round the time, in µs or relative to the reference's."),
});

const rowSchema = z.object({
  pair: count.describe('Index of the pair of files.'),
  id: name.describe('Variant id.'),
  kernel: name.describe('Short name.'),
  package: name,
  role: z
    .literal('reference')
    .optional()
    .describe('What ratios are to; it is judged by its time, and fails nothing.'),
  problem: problemSchema,
  settings: z
    .record(z.string(), z.union([z.number(), z.string(), z.boolean()]))
    .describe('Of the protocol, those that make figures another thing: rows are matched by them.'),
  verdict: z
    .enum(['same', 'faster', 'slower', 'unclear', 'failed', 'incomparable'])
    .describe(
      '`failed`: wrong in the new file, or without times that it had. `incomparable`: the figures are not of the same thing.',
    ),
  reason: z.string().optional().describe('Why there is no better verdict, as a sentence.'),
  by: z
    .enum(['ratio', 'time'])
    .optional()
    .describe('`ratio`: times relative to the reference of the same round and run.'),
  reference: variantRef.optional(),
  referenceMoved: z
    .literal(true)
    .optional()
    .describe('It is unclear because ratio and time say different things at the same clocks.'),
  sameBytes: z.literal(true).optional().describe('Both ran the same machine code or PTX.'),
  change: z.number().optional().describe('Time of new ÷ base − 1; over 0 is slower.'),
  interval: z.object({ low: z.number(), high: z.number() }).optional().describe('Of the change.'),
  roundsNeeded: count.optional().describe('With so many rounds on each side it would probably be clear.'),
  base: sideSchema,
  new: sideSchema,
});

const loneSchema = z.object({ from: name, id: name, package: name, problem: problemSchema });

/** What `ffma compare --json` writes. */
export const comparisonSchema = z
  .object({
    schemaVersion: z.literal(1),
    kind: z.literal('comparison'),
    createdAt: z.iso.datetime(),
    tool: z.record(z.string(), z.string()).describe('Versions of the ffma packages that compared.'),
    rule: z
      .object({
        threshold: z.number().describe('Changes up to this are no change; 0.03 is 3 %.'),
        confidence: z.number().describe('Of the intervals.'),
        by: z.enum(['auto', 'ratio', 'time']).describe('`auto`: by ratio where both files have one.'),
      })
      .describe('How rows were judged.'),
    pairs: z.array(pairSchema),
    rows: z.array(rowSchema),
    onlyInBase: z.array(loneSchema).describe('Rows that the new files do not have.'),
    onlyInNew: z.array(loneSchema),
    notes: z.array(z.string()).describe('Files that were not compared, as sentences.'),
    failures: z
      .array(z.string())
      .describe('Why the comparison fails, as sentences; empty where it does not.'),
  })
  .describe('Results of ffma compare.');

export type ComparisonResult = z.infer<typeof comparisonSchema>;
export type ComparedRow = z.infer<typeof rowSchema>;
export type ComparisonPair = z.infer<typeof pairSchema>;
export type LoneRow = z.infer<typeof loneSchema>;
export type Verdict = ComparedRow['verdict'];
