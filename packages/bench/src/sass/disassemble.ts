import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnavailableError, UnsupportedError } from '@ffma/core';
import { findTool, inToolkit, type SearchContext, type ToolPlaces } from '../profile/find-tool.js';
import { runTool } from '../profile/run-tool.js';

/** A program that turns machine code into text. */
export interface Disassembler {
  readonly name: 'nvdisasm' | 'cuobjdump';
  readonly path: string;
}

const tools: readonly (ToolPlaces & Pick<Disassembler, 'name'>)[] = [
  { name: 'nvdisasm', variable: 'FFMA_NVDISASM', versions: [inToolkit('nvdisasm')] },
  { name: 'cuobjdump', variable: 'FFMA_CUOBJDUMP', versions: [inToolkit('cuobjdump')] },
];

/** nvdisasm, else cuobjdump; undefined where there is neither. @throws UsageError where a variable names nothing */
export function findDisassembler(context: SearchContext): Disassembler | undefined {
  for (const tool of tools) {
    const path = findTool(tool, context);
    if (path !== undefined) return { name: tool.name, path };
  }
  return undefined;
}

/** The error where there is none, with what to do. */
export function noDisassembler(): UnavailableError {
  return new UnavailableError(
    'Machine code is read by nvdisasm or cuobjdump of the CUDA toolkit, and neither was found.',
    {
      remedy:
        'Install them (Debian packages of NVIDIA: cuda-nvdisasm-13-0, cuda-cuobjdump-13-0), or name one in FFMA_NVDISASM ' +
        'or FFMA_CUOBJDUMP.',
    },
  );
}

/** Machine code as text. @throws UnsupportedError with what the program said */
export async function disassemble(
  tool: Disassembler,
  cubin: Uint8Array,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ffma-sass-'));
  try {
    const file = join(folder, 'kernel.cubin');
    await writeFile(file, cubin);
    const args = tool.name === 'nvdisasm' ? ['-c', file] : ['-sass', file];
    const { code, stdout, output } = await runTool(tool.path, args, { env, timeoutMs: 60_000 });
    if (code === 0) return stdout;
    throw new UnsupportedError(
      `${tool.path} could not read the machine code: ${output.trim() || `code ${code}`}.`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
