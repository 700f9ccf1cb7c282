import type { ObjectCode, ObjectFormat } from '../device/object-code.js';
import type { Variant } from '../gemm/define-kernel.js';
import type { CountedResources } from '../gemm/resources.js';
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
  /** What each entry uses, by entry; absent where no ptxas is at hand. */
  readonly resources?: CountedResources;
  /** Whether the same compiler makes the same bytes of the same sources again. */
  readonly reproducible: boolean;
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

/** What ptxas says by device symbol, by entry. */
function byEntry(variant: Variant, bySymbol: Readonly<Record<string, KernelResources>>): CountedResources {
  const named = Object.entries(variant.symbols).map(([entry, symbol]) => [entry, bySymbol[symbol]] as const);
  return Object.fromEntries(named.filter(([, resources]) => resources !== undefined));
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
    reproducible: result.reproducible,
    cached: result.cached,
    ...(result.resources === undefined ? {} : { resources: byEntry(variant, result.resources) }),
  };
}
