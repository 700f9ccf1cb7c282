import { z } from 'zod';
import { MOST_BATCH, parseSize, type Size, sizeFrom } from '../bench/sizes.js';
import { sentenceOf } from '../error-sentence.js';
import type { FfmaConfig } from './define-config.js';
import { parseShare, parseSpan } from './quantities.js';
import type { BenchFields } from './settings.js';

/** What a parser of the command line throws, as a fault of the field. */
function parsed<In, Out>(input: z.ZodType<In, In>, parse: (value: In) => Out) {
  return input.transform((value, context) => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: sentenceOf(error) });
      return z.NEVER;
    }
  });
}

const extent = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
const count = z.int().min(1).max(999_999);

const sizeSchema = z.union([
  parsed(z.union([z.number(), z.string()]), (value) => parseSize(String(value))),
  z
    .strictObject({ m: extent, n: extent, k: extent, batch: z.int().min(1).max(MOST_BATCH).optional() })
    .transform((size): Size => sizeFrom(size)),
]);

const sizes = z.array(sizeSchema).min(1);

const benchSchema = z.strictObject({
  kernels: z.array(z.string().min(1)).min(1).optional(),
  device: z.enum(['emulator', 'cuda', 'auto']).optional(),
  sizes: sizes.optional(),
  suite: z.string().min(1).optional(),
  alpha: z.number().optional(),
  beta: z.number().optional(),
  reference: z.string().min(1).optional(),
  rounds: count.optional(),
  launches: count.optional(),
  untilCi: parsed(z.union([z.number(), z.string()]), parseShare).optional(),
  maxRounds: count.optional(),
  timeLimit: parsed(z.union([z.number(), z.string()]), parseSpan).optional(),
  l2: z.enum(['cold', 'warm']).optional(),
  graph: z.boolean().optional(),
  allVariants: z.boolean().optional(),
  compile: z.boolean().optional(),
  uuid: z.boolean().optional(),
});

/** A configuration whose sizes, shares and spans were read. */
export interface ReadConfig {
  readonly bench: BenchFields;
  readonly suites: Readonly<Record<string, readonly Size[]>>;
}

/** Names of the fields of a configuration, by the path of what has them. */
export const configFields = { '': ['bench', 'suites'], bench: Object.keys(benchSchema.shape) };

/** What a configuration file may export; its type is written by hand for its documentation, and held to this. */
export const configSchema: z.ZodType<ReadConfig, FfmaConfig> = z.strictObject({
  bench: benchSchema.default({}),
  suites: z.record(z.string().min(1), sizes).default({}),
});
