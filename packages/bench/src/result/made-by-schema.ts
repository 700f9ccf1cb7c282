import { z } from 'zod';
import { count, name, sha256 } from './parts.js';

export const dim3 = z.tuple([count, count, count]);

export const packageSchema = z.object({ name, version: name }).describe('An npm package.');

export const deviceSchema = z
  .object({
    kind: name.describe('`cuda`, `emulator`, or another provider.'),
    name,
    arch: name.describe('E.g. `sm_90`.'),
    limits: z
      .record(z.string(), z.union([z.number(), dim3]))
      .describe('Figures that plans and occupancy use.'),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('What this kind of device adds, e.g. the emulator: profile, fma path, workers, checks.'),
  })
  .describe('What the rows were made on.');

export const hostSchema = z.object({
  platform: name.describe('E.g. `linux x64`.'),
  release: z.string().describe('Version of the operating system.'),
  cpu: z.string(),
  cores: count,
  memoryBytes: count,
  node: name,
  v8: name,
});

export const artefactSchema = z
  .object({
    ranAs: z.enum(['cubin', 'jit', 'emulated', 'library']),
    sha256: sha256.describe('Digest of the bytes that were loaded.'),
    arch: name,
    compiler: name.describe('Compiler and version, or the library and version.'),
    mathMode: z.enum(['fp32', 'fp32-pedantic', 'tf32']).optional().describe('Absent: fp32.'),
  })
  .describe('What exactly ran.');

export const problemSchema = z
  .object({
    m: count,
    n: count,
    k: count,
    alpha: z.number(),
    beta: z.number(),
    lda: count,
    ldb: count,
    ldc: count,
    batch: count.optional().describe('So many of them, each with operands of its own; absent: one.'),
  })
  .describe('C = alpha·A·B + beta·C, row-major; leading dimensions in elements.');

export const gitSchema = z
  .object({
    revision: z.string().regex(/^[0-9a-f]{40,64}$/),
    dirty: z.boolean().describe('Files that git tracks were changed since.'),
  })
  .describe('The repository of the folder where it was made.');

/** What a variant was built from and as; a library has none of it. */
export const digestsSchema = z
  .object({
    source: sha256.optional().describe('Its CUDA C++ file, without the headers of @ffma/core.'),
    ptx: sha256.optional(),
    cubin: sha256.optional(),
  })
  .describe('SHA-256 of what was built for the architecture that ran, as its package has it.');
