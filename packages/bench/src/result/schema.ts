import { z } from 'zod';
import { experimentSchema } from './experiment-schema.js';
import {
  artefactSchema,
  deviceSchema,
  digestsSchema,
  dim3,
  gitSchema,
  hostSchema,
  packageSchema,
  problemSchema,
} from './made-by-schema.js';
import { count, name } from './parts.js';
import { sessionSchema, timesSchema } from './times-schema.js';

const correctnessSchema = z
  .object({
    status: z.enum(['passed', 'failed', 'refused']),
    cases: z.object({ passed: count, failed: count, refused: count }),
    gates: z.array(name).describe('Gates that were applied.'),
    failures: z.array(z.string()).describe('A sentence for each case that failed or was refused.'),
    ran: z
      .literal(false)
      .optional()
      .describe('Where it failed before there was any result: it could not be loaded, prepared or launched.'),
  })
  .describe('Checked before anything else; only rows that passed carry measurements.');

const siteSchema = z.object({
  ptxLine: count,
  instruction: z.string(),
  source: z.object({ file: z.string(), line: count }).optional(),
  space: z.enum(['global', 'shared', 'local']),
  kind: z
    .enum(['load', 'store', 'atomic', 'copy'])
    .describe('`copy`: an asynchronous one, from global to shared memory.'),
  requests: count.describe('Executions by a warp with at least one lane active.'),
  sectors: count.describe('Distinct 32-byte sectors, summed over requests; global memory only.'),
  bytesRequested: count,
  bytesUsed: count.describe('Distinct bytes, summed over requests; global memory only.'),
  wavefronts: count
    .optional()
    .describe('Passes through the banks, summed over requests; shared memory only.'),
  idealWavefronts: count.optional().describe('Passes that would be left without bank conflicts.'),
});

const compiledSchema = z
  .object({
    registers: count.describe('Of a thread.'),
    spillBytes: count,
    sharedBytes: count.describe('Of a block, static and dynamic.'),
    blocksPerSm: count,
    warpsPerSm: count,
    occupancy: z.number().describe('Resident warps ÷ the most there can be.'),
    limitedBy: z.array(name),
  })
  .describe(
    'What ptxas said, and the occupancy that follows from it on the device. Nothing of it was measured.',
  );

const l2Schema = z
  .object({
    bytes: count,
    ways: count,
    residentBlocks: count.describe('Blocks that are assumed to be at work at a time.'),
    blocks: count,
    modelledBlocks: count.describe('The first so many blocks were modelled.'),
    readSectors: count,
    readHits: count,
    writtenSectors: count,
    dramReadBytes: count,
    dramWrittenBytes: count,
    dirtyBytes: count.describe('Written, and still only in the cache at the end.'),
  })
  .describe('A model of the L2 cache, with nothing in it at the start. Not a measurement.');

const launchSchema = z.object({
  kernel: name.describe('Device symbol.'),
  grid: dim3,
  block: dim3,
  sharedBytes: count.describe('Dynamic shared memory.'),
  instructions: z.record(z.string(), count).describe('Executed, by class, summed over threads.'),
  staticInstructions: z.record(z.string(), count).optional().describe('In the PTX, by class.'),
  compiled: compiledSchema.optional(),
  l2: l2Schema.optional(),
  sites: z.array(siteSchema).describe('One a load, store or atomic instruction of the PTX.'),
});

const countersSchema = z
  .object({
    level: z.literal('ptx').describe('Counted from the PTX that ran, before ptxas; not machine code.'),
    values: z
      .record(z.string(), z.number().nullable())
      .describe('Figures by name; null where nothing contributed.'),
    launches: z.array(launchSchema),
  })
  .describe('What the kernel did. Counters are not times.');

const rowSchema = z.object({
  id: name.describe('Variant id.'),
  kernel: name.describe('Short name.'),
  package: packageSchema,
  params: z.record(z.string(), z.union([z.number(), z.boolean()])),
  exactness: z.enum(['k-order', 'reordered']),
  asked: z.boolean().describe('False where it was measured only because another row is based on it.'),
  role: z.literal('reference').optional().describe('What other rows are measured against.'),
  specialised: z
    .literal(true)
    .optional()
    .describe('Made for this size alone; where the id names no size, it was compiled in when it was loaded.'),
  base: z.object({ id: name, package: name }).optional().describe('The kernel it differs from by one idea.'),
  problem: problemSchema,
  artefact: artefactSchema.optional().describe('Absent where it could not be loaded.'),
  digests: digestsSchema.optional(),
  correctness: correctnessSchema,
  counters: countersSchema.optional(),
  times: timesSchema.optional(),
  unranked: z
    .string()
    .optional()
    .describe(
      'Why a right result has no times, or none beside the reference: over the peak, another math mode.',
    ),
});

/** A result file: what `ffma bench --json` writes and `ffma report` reads. The published JSON schema is made from it. */
export const resultSchema = z
  .object({
    schemaVersion: z.literal(2),
    kind: z.literal('bench'),
    createdAt: z.iso.datetime(),
    tool: z.record(z.string(), z.string()).describe('Versions of the ffma packages that made it.'),
    interrupted: z.literal(true).optional().describe('Ended by its user before all was measured.'),
    protocol: z
      .object({
        name,
        version: count,
        parameters: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
      })
      .describe('How it was measured.'),
    mathMode: z.literal('fp32').describe('Fused multiply-adds in float32; TF32 off.'),
    host: hostSchema,
    git: gitSchema.optional().describe('Absent outside of a repository, and where git is not installed.'),
    device: deviceSchema,
    rows: z.array(rowSchema),
    sessions: z.array(sessionSchema).optional().describe('One a size at which times were taken.'),
    experiment: experimentSchema.optional().describe('Where ffma experiment made it.'),
  })
  .describe('Results of ffma bench.');

export type BenchResult = z.infer<typeof resultSchema>;
export type ResultRow = z.infer<typeof rowSchema>;
export type RowCounters = z.infer<typeof countersSchema>;
export type LaunchCompiled = z.infer<typeof compiledSchema>;
export type RowCorrectness = z.infer<typeof correctnessSchema>;
export type DeviceFacts = z.infer<typeof deviceSchema>;
export type HostFacts = z.infer<typeof hostSchema>;
