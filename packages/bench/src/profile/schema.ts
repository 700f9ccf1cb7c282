import { z } from 'zod';
import {
  artefactSchema,
  deviceSchema,
  dim3,
  hostSchema,
  packageSchema,
  problemSchema,
} from '../result/made-by-schema.js';
import { count, name } from '../result/parts.js';

const stallSchema = z.object({
  reason: name.describe('As ncu calls it: `long_scoreboard`, `wait`.'),
  perIssue: z.number().nonnegative().describe('Warps that wait for it, for each instruction that is issued.'),
});

const opcodesSchema = z
  .object({
    level: z
      .enum(['executed', 'static'])
      .describe('`executed`: counted by ncu, per warp. `static`: as they stand in the machine code.'),
    counts: z.record(z.string(), count).describe('By opcode without modifiers, e.g. `FFMA`.'),
    total: count,
    ffmaShare: z.number().nullable(),
    overheadPerFfma: z.number().nullable().describe('Other instructions for each FFMA.'),
  })
  .describe('Instructions of the machine code.');

const launchSchema = z.object({
  kernel: name.describe('Device symbol as ncu printed it.'),
  main: z
    .boolean()
    .describe('The launch that does the multiplication, as against zeroing or fixing up; one of a row.'),
  grid: dim3.optional(),
  block: dim3.optional(),
  metrics: z
    .record(z.string(), z.number().nullable())
    .describe('By name of `metrics`, in its unit; null where this ncu or GPU did not give it.'),
  missing: z.record(z.string(), z.string()).describe('Why a metric is null, as a sentence, by name.'),
  stalls: z.array(stallSchema).describe('The worst first; empty where ncu gave none.'),
  opcodes: opcodesSchema.optional(),
});

const rowSchema = z.object({
  id: name.describe('Variant id.'),
  kernel: name.describe('Short name.'),
  package: packageSchema,
  role: z.literal('reference').optional().describe('What others are set beside.'),
  problem: problemSchema,
  artefact: artefactSchema.optional().describe('Absent where nothing was loaded.'),
  status: z.enum(['profiled', 'refused', 'failed']),
  reason: z.string().optional().describe('Why there is no profile, as a sentence.'),
  launches: z.array(launchSchema).describe('Each launch of one multiplication, in the order it ran.'),
});

/** A result file of `ffma profile`: what Nsight Compute counted. It has no times that could be set beside a benchmark's. */
export const profileSchema = z
  .object({
    schemaVersion: z.literal(1),
    kind: z.literal('profile'),
    createdAt: z.iso.datetime(),
    tool: z.record(z.string(), z.string()).describe('Versions of the ffma packages that made it.'),
    interrupted: z.literal(true).optional().describe('Ended by its user before all was profiled.'),
    profiler: z.object({ name, version: name }),
    protocol: z.object({
      name: z.literal('one-launch'),
      version: count,
      cache: z.enum(['cold', 'warm']).describe('`cold`: flushed by ncu before each pass.'),
      clocks: z.literal('unchanged').describe('Not locked by ncu.'),
      warmUpLaunches: count.describe('Unprofiled multiplications before the one that is.'),
    }),
    durations: z
      .literal('profiled')
      .describe(
        'Durations and rates here are of launches that were replayed under a profiler, so they are never set beside ' +
          'the times of ffma bench.',
      ),
    host: hostSchema,
    device: deviceSchema,
    metrics: z
      .array(z.object({ name, title: name, unit: z.string(), meaning: z.string() }))
      .describe('What the figures of the launches are.'),
    rows: z.array(rowSchema),
    notes: z.array(z.string()).describe('What was not known or not done, as sentences.'),
  })
  .describe('Results of ffma profile.');

export type ProfileResult = z.infer<typeof profileSchema>;
export type ProfileRow = z.infer<typeof rowSchema>;
export type ProfileLaunch = z.infer<typeof launchSchema>;
export type ProfileOpcodes = z.infer<typeof opcodesSchema>;
export type Stall = z.infer<typeof stallSchema>;
