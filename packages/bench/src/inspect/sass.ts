import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { artefactFolder, type GemmShape, UnsupportedError, type Variant } from '@ffma/core';
import { compileVariant } from '@ffma/core/compile';
import type { SelectedKernel } from '../discover/select.js';
import { checkSass } from '../sass/check.js';
import { decodeSass } from '../sass/decode.js';
import { type Disassembler, disassemble, findDisassembler, noDisassembler } from '../sass/disassemble.js';
import { type SassFacts, sassFacts } from '../sass/facts.js';
import { functionNamed, parseSass } from '../sass/parse.js';
import { asVariant } from './as-variant.js';

/** What the machine code of a variant says of itself. */
export interface InspectedSass {
  readonly id: string;
  readonly arch: string;
  readonly sha256: string;
  readonly compiler: string;
  /** `built`: as the package ships it; `compiled`: made just now. */
  readonly from: 'built' | 'compiled';
  /** One for each entry. */
  readonly functions: readonly SassFacts[];
  /** Limits of its declaration that the entry `main` breaks, as sentences. */
  readonly broken: readonly string[];
  /** What read it: `ffma` where there is no disassembler, for sm_90 alone. */
  readonly by: Disassembler['name'] | 'ffma';
  /** All that the disassembler printed. */
  readonly text: string | undefined;
}

export interface SassOptions {
  /** Default `sm_90`. */
  readonly arch?: string;
  /** Sizes of a variant that has them compiled in. */
  readonly shape?: GemmShape;
  readonly env?: NodeJS.ProcessEnv;
}

async function builtCubin({ kernel }: SelectedKernel, id: string, arch: string) {
  const { manifest, folder } = kernel.package;
  const built = manifest?.artefacts.find(
    (one) => one.id === id && one.format === 'cubin' && one.arch === arch,
  );
  if (built === undefined) return undefined;
  const bytes = new Uint8Array(await readFile(join(artefactFolder(folder), built.file)));
  return { bytes, sha256: built.sha256, compiler: built.compiler, from: 'built' as const };
}

async function compiledCubin(variant: Variant, arch: string) {
  const { object, compiler } = await compileVariant(variant, { arch, format: 'cubin' });
  return { bytes: object.bytes, sha256: object.sha256, compiler, from: 'compiled' as const };
}

/** The cubin that a GPU of this architecture runs: the one that was built, else the one that is compiled now. */
export async function cubinOf(selected: SelectedKernel, { arch = 'sm_90', shape }: SassOptions = {}) {
  const variant = asVariant(selected.gemm);
  if (variant === undefined)
    throw new UnsupportedError(`${selected.gemm.id} is a library, whose machine code is not ours to read.`);
  const filled = variant.open && shape !== undefined ? variant.forShape(shape) : variant;
  return {
    variant: filled,
    ...((await builtCubin(selected, filled.id, arch)) ?? (await compiledCubin(filled, arch))),
  };
}

/** @throws UnsupportedError for what cannot be read; UnavailableError for another architecture without a disassembler */
async function read(bytes: Uint8Array, arch: string, env: NodeJS.ProcessEnv) {
  const tool = findDisassembler({ env });
  if (tool !== undefined) {
    const text = await disassemble(tool, bytes, env);
    return { functions: parseSass(text), by: tool.name, text };
  }
  if (arch !== 'sm_90') throw noDisassembler();
  return { functions: decodeSass(bytes), by: 'ffma' as const, text: undefined };
}

/**
 * Reads the machine code of a variant and the facts in it, by a disassembler where there is one.
 * @throws UnavailableError where nothing was built and no compiler is here, or there is no disassembler for another
 * architecture than sm_90; UnsupportedError for a library
 */
export async function inspectSass(
  selected: SelectedKernel,
  options: SassOptions = {},
): Promise<InspectedSass> {
  const { arch = 'sm_90', env = process.env } = options;
  const { variant, bytes, ...made } = await cubinOf(selected, options);
  const { functions, by, text } = await read(bytes, arch, env);
  const { main, ...others } = variant.symbols;
  const symbols = [main as string, ...Object.values(others)];
  const facts = symbols.map((symbol) => sassFacts(functionNamed(functions, symbol)));
  const limits = arch === 'sm_90' ? variant.machineCode : undefined;
  const broken = limits === undefined ? [] : checkSass(facts[0] as SassFacts, limits);
  return {
    id: variant.id,
    arch,
    ...made,
    functions: facts,
    broken,
    by,
    text,
  };
}
