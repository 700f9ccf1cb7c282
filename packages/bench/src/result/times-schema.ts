import { z } from 'zod';
import { endings } from '../timing/stopping.js';
import { count, name, positive, share, variantRef } from './parts.js';

const ratioSchema = z
  .object({
    to: variantRef.describe('The reference.'),
    median: positive,
    min: positive,
    max: positive,
    wins: count.describe('Rounds in which it was faster than the reference.'),
    rounds: count,
    interval: z
      .object({ low: positive, high: positive })
      .describe('95 % confidence interval of the median: percentile bootstrap over the rounds.'),
    perRound: z.array(positive),
  })
  .describe(
    "The reference's median time of a round, divided by this row's of the same round; over 1 is faster.",
  );

export const timesSchema = z
  .object({
    medianUs: positive.describe("Median of the rounds' medians."),
    minUs: positive.describe("Least of the rounds' medians."),
    maxUs: positive.describe("Greatest of the rounds' medians."),
    tflops: positive.describe('2·m·n·k, times the batch, divided by the median time.'),
    rounds: z
      .array(
        z.object({
          round: count,
          medianUs: positive,
          minUs: positive,
          maxUs: positive,
          launchesUs: z.array(positive).describe('Each launch, in the order it ran.'),
          outliers: z
            .array(count)
            .describe('Indices of launches over 3.5 modified z-scores off. They are marked, not left out.'),
        }),
      )
      .describe('Those that count, in order.'),
    noise: z
      .object({
        launches: share.describe("Within a round: the median over the rounds of their launches' noise."),
        rounds: share.describe("Of the rounds' medians."),
      })
      .describe('Median absolute deviation from the median, as a share of it.'),
    launched: z
      .enum(['singly', 'graph'])
      .describe('`graph`: each product is enqueued by one call of the driver.'),
    ratio: ratioSchema.optional(),
  })
  .describe('Times by events on the stream of the launches; all launches of a plan are inside.');

const clocksSchema = z
  .object({
    smMHz: z.array(z.number()),
    memoryMHz: z.array(z.number()),
    powerW: z.array(z.number()),
    temperatureC: z.array(z.number()),
    reasons: z.array(name).describe('Of nvmlClocksEventReasons, all that any sample had.'),
  })
  .describe('One sample in the turn of each kernel, in the order of the session.');

export const sessionSchema = z
  .object({
    startedAt: z.iso.datetime(),
    problem: z.object({ m: count, n: count, k: count, batch: count.optional() }),
    order: z
      .array(variantRef)
      .describe('The kernels that were timed, in the order in which they alternated.'),
    reference: variantRef.optional(),
    flushBytes: count.describe('Written before each launch.'),
    rounds: z
      .array(
        z.object({
          round: count,
          attempt: count,
          used: z.boolean().describe('False where it was run again because the GPU was throttled.'),
          throttledBy: z.array(name),
          clocks: clocksSchema.optional(),
        }),
      )
      .describe('All that were run, in order.'),
    peak: z
      .object({ tflops: positive, smCount: count, lanesPerSm: count, clockMHz: positive })
      .optional()
      .describe('What no FP32 kernel can exceed.'),
    endedBy: z
      .enum(endings)
      .describe(
        'The rule that ended it. `rounds`: as many as were asked for; `interval`: those of all ratios were narrow enough; ' +
          '`max-rounds`: they were not, after the most rounds; `time-limit`; `interrupted`, by its user.',
      ),
    notes: z.array(z.string()).describe('What was not known or not done, as sentences.'),
    interrupted: z.literal(true).optional().describe('Ended before all of its rounds were run.'),
  })
  .describe('What ran together at one size.');

export type RowTimes = z.infer<typeof timesSchema>;
export type Session = z.infer<typeof sessionSchema>;
