import { z } from 'zod';
import { count, name, positive, variantRef } from './parts.js';

const sizeSchema = z.object({ m: count, n: count, k: count });

const publishedSchema = z
  .object({
    size: sizeSchema,
    value: positive,
    unit: z.enum(['us', '%', 'TFLOP/s']).describe("`%`: speed as a percentage of the reference's."),
    gpu: name,
    kind: z.enum(['fixed configuration', "sweep's best"]),
    note: z.string().optional(),
  })
  .describe('A figure that somebody else published.');

const rowSchema = z.object({
  name,
  about: z.string().optional().describe('What it stands for.'),
  reference: z.literal(true).optional().describe('What everything is measured against.'),
  kernels: z
    .array(variantRef)
    .describe("Rows of the result; of several, the fastest gives the row's figure."),
  sizes: z.array(sizeSchema).optional().describe('Where it is measured; absent: at every size.'),
  published: z.array(publishedSchema),
});

const rowNames = z.array(name).readonly().describe('Names of rows.');

const changeSchema = z.object({ off: name, on: name });

/** As {@link ExperimentChart} of core says. */
const chartSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('steps'), rows: rowNames, apart: rowNames.optional() }),
    z.object({
      kind: z.literal('two-by-two'),
      about: z.string(),
      changes: z.tuple([changeSchema, changeSchema]).readonly(),
      rows: z.object({ neither: name, first: name, second: name, both: name }),
    }),
    z.object({
      kind: z.literal('arrows'),
      ends: z.tuple([name, name]).readonly(),
      arrows: z.array(z.object({ about: z.string(), from: name, to: name })).readonly(),
    }),
    z.object({ kind: z.literal('stalls'), rows: rowNames }),
    z.object({ kind: z.literal('opcodes'), rows: rowNames }),
    z.object({ kind: z.literal('schedulers'), rows: rowNames }),
  ])
  .describe('A chart that its declaration asks for.');

export const experimentSchema = z
  .object({
    name,
    package: name.describe('The package that declares it.'),
    question: z.string(),
    source: z.object({ title: z.string(), table: z.string() }).describe('What it repeats.'),
    ranked: z.literal(true).optional().describe('Rows are shown in the order of their times.'),
    rows: z.array(rowSchema),
    pairs: z.array(
      z.object({ of: name, to: name, about: z.string().optional(), published: z.string().optional() }),
    ),
    charts: z.array(chartSchema).optional(),
    conclusions: z.array(z.string()).describe('What its declaration says of the figures.'),
    notes: z.array(z.string()).describe('What was left out, as sentences.'),
  })
  .describe('The question that the rows were measured for.');

export type ExperimentRecord = z.infer<typeof experimentSchema>;
export type ExperimentRecordRow = z.infer<typeof rowSchema>;
export type PublishedRecord = z.infer<typeof publishedSchema>;
