import type { ObjectCode, ObjectFormat } from '../device/object-code.js';
import type { Variant } from '../gemm/define-kernel.js';
import { openError } from '../gemm/specialise.js';
import { compile } from './compile.js';
import type { CompilerName } from './compiler.js';
import { type EntryPoint, entryText } from './entry.js';
import type { KernelResources } from './log.js';
import { readSourceFiles } from './source-files.js';

export interface CompiledVariant {
  readonly object: ObjectCode;
  /** Compiler and version: `nvcc 13.0.88`. */
  readonly compiler: string;
  /** The most that any entry uses; absent where no ptxas is at hand. */
  readonly resources?: KernelResources;
  readonly cached: boolean;
}

export interface VariantTarget {
  /** `compute_80` for PTX; `sm_90` for a cubin. */
  readonly arch: string;
  readonly format: ObjectFormat;
  readonly compiler?: CompilerName;
}

/** The entry points that a variant's build generates. */
export function entryPoints(variant: Variant): EntryPoint[] {
  return Object.entries(variant.entries).map(([name, entry]) => ({
    symbol: variant.symbols[name] as string,
    fn: entry.fn,
    signature: entry.signature,
    threads: entry.threads ?? variant.derived.threads,
  }));
}

/** The translation unit that is compiled for a variant, as text. */
export async function variantEntryText(variant: Variant): Promise<string> {
  const { main } = await readSourceFiles(variant.definition.source);
  return entryText(main, variant.params, { ...variant.derived }, entryPoints(variant));
}

function most(resources: Readonly<Record<string, KernelResources>>): KernelResources {
  const each = Object.values(resources);
  return {
    registers: Math.max(0, ...each.map((r) => r.registers)),
    sharedBytes: Math.max(0, ...each.map((r) => r.sharedBytes)),
    spillBytes: Math.max(0, ...each.map((r) => r.spillBytes)),
  };
}

/** Compiles a variant for a target. @throws CompileError, UnavailableError, UnsupportedError */
export async function compileVariant(variant: Variant, target: VariantTarget): Promise<CompiledVariant> {
  if (variant.open) throw openError(variant);
  const result = await compile({
    source: variant.definition.source,
    entries: entryPoints(variant),
    params: variant.params,
    derived: { ...variant.derived },
    name: variant.id,
    ...target,
  });
  return {
    object: result.object,
    compiler: result.compiler,
    cached: result.cached,
    ...(result.resources === undefined ? {} : { resources: most(result.resources) }),
  };
}
