import { ObjectCode, type ObjectFormat } from '../device/object-code.js';
import { ArgumentError, CompileError, UnsupportedError } from '../errors.js';
import type { Params } from '../gemm/kernel-definition.js';
import { type CacheEntry, cacheKey, readCache, writeCache } from './compile-cache.js';
import type { CompilerName } from './compiler.js';
import { type EntryPoint, entryText } from './entry.js';
import { firstError, type KernelResources, portableLog } from './log.js';
import { portablePtx } from './portable-ptx.js';
import { assemble, ptxasFlags } from './ptxas.js';
import { type KernelSource, readSourceFiles, type SourceFiles } from './source-files.js';
import { chooseToolchain, type Toolchain } from './toolchains.js';
import { inWorkFolder } from './work-folder.js';

export interface CompileOptions {
  readonly source: KernelSource;
  /** Entry points to generate around the source's templates; without any, the source is compiled as it is. */
  readonly entries?: readonly EntryPoint[];
  /** Named constants that the templates see as `P::NAME`. */
  readonly params?: Params;
  /** Named figures that follow from them, seen likewise. */
  readonly derived?: Readonly<Record<string, number | undefined>>;
  /** `compute_80` for PTX; `sm_90` for a cubin. */
  readonly arch: string;
  readonly format: ObjectFormat;
  /** Default: what `FFMA_CUDA_COMPILER` names, else the first that is there. */
  readonly compiler?: CompilerName;
  /** For messages; default the source's name. */
  readonly name?: string;
  /** Default true. */
  readonly cache?: boolean;
}

export interface CompileResult {
  readonly object: ObjectCode;
  /** Compiler and version: `nvcc 13.0.88`, `clang 19.1.7`. */
  readonly compiler: string;
  /** What machine code for this architecture uses, by device symbol; undefined where no ptxas is at hand. */
  readonly resources: Readonly<Record<string, KernelResources>> | undefined;
  /** Warnings. */
  readonly log: string;
  /** Whether the same compiler makes the same bytes of the same files again. */
  readonly reproducible: boolean;
  readonly cached: boolean;
}

/** File names inside a compilation; they appear in line information. */
const entryName = 'entry.cu';

/** @throws ArgumentError unless the architecture is written as its format asks */
export function checkArch(arch: string, format: ObjectFormat): void {
  const pattern = format === 'ptx' ? /^compute_\d+[af]?$/ : /^sm_\d+[af]?$/;
  if (pattern.test(arch)) return;
  const example = format === 'ptx' ? 'compute_80' : 'sm_90';
  throw new ArgumentError(`The architecture of a ${format} is written like ${example}, but is '${arch}'.`);
}

function checkFormat(format: ObjectFormat, { compiler, ptxas }: Toolchain): void {
  if (format === 'ptx' || ptxas !== undefined) return;
  throw new UnsupportedError(
    `${compiler.name} makes PTX only: a cubin needs NVIDIA's ptxas, which is not there.`,
    { remedy: 'Build PTX, which the driver compiles when it is loaded, or install the CUDA toolkit.' },
  );
}

/** Digits of a compilation's key that name its folder. */
const KEY_DIGITS = 32;

/** Runs the compiler on a snapshot of the files: what is compiled is what the key was made of. */
async function build(
  { compiler, ptxas }: Toolchain,
  main: string,
  files: ReadonlyMap<string, string>,
  { arch, format, name, key }: { arch: string; format: ObjectFormat; name: string; key: string },
): Promise<CacheEntry> {
  const unit = key.slice(0, KEY_DIGITS);
  return inWorkFolder(unit, files, async ({ path: folder, usual }) => {
    const outcome = await compiler.toPtx({ folder, main, arch: arch.replace('sm_', 'compute_') });
    const log = portableLog(outcome.log, folder);
    if (outcome.ptx === undefined) {
      throw new CompileError(`${compiler.name} ${compiler.version} refused ${name}: ${firstError(log)}`, {
        details: { log, compiler: compiler.name, arch },
      });
    }
    const ptx = portablePtx(outcome.ptx, folder);
    const assembled =
      ptxas === undefined
        ? undefined
        : await inWorkFolder(`${unit}-ptxas`, new Map(), ({ path }) => assemble(ptxas, ptx, arch, path));
    const bytes = format === 'cubin' ? (assembled?.cubin as Uint8Array) : new TextEncoder().encode(ptx);
    const reproducible = compiler.reproducible && usual;
    return { bytes, resources: assembled?.resources, log, reproducible };
  });
}

function translationUnit(sources: SourceFiles, toolchain: Toolchain, options: CompileOptions) {
  const files = new Map([...sources.files, ...Object.entries(toolchain.compiler.support)]);
  if (options.entries === undefined) return { main: sources.main, files };
  files.set(entryName, entryText(sources.main, options.params ?? {}, options.derived ?? {}, options.entries));
  return { main: entryName, files };
}

const running = new Map<string, Promise<CacheEntry>>();

/**
 * Compiles device code, or takes it from the cache, which is keyed by everything that can change the result.
 * @throws CompileError with the whole log in `details.log`; UnavailableError where there is no compiler;
 * UnsupportedError for a cubin without ptxas; ArgumentError
 */
export async function compile(options: CompileOptions): Promise<CompileResult> {
  const { arch, format, cache = true } = options;
  checkArch(arch, format);
  const toolchain = await chooseToolchain(options.compiler);
  checkFormat(format, toolchain);
  const sources = await readSourceFiles(options.source);
  const { main, files } = translationUnit(sources, toolchain, options);
  const { compiler, ptxas } = toolchain;
  const key = cacheKey({
    layout: 5,
    compiler: [
      ...[compiler.name, compiler.fullVersion, compiler.flags(arch), compiler.settings],
      compiler.reproducible,
    ],
    ptxas: ptxas === undefined ? null : [ptxas.version, ptxasFlags(arch)],
    target: [arch, format],
    main,
    files: [...files].sort(([x], [y]) => (x < y ? -1 : 1)),
  });
  const name = options.name ?? sources.main;
  const kept = cache ? await readCache(key) : undefined;
  const work = kept ?? running.get(key) ?? build(toolchain, main, files, { arch, format, name, key });
  if (work instanceof Promise) running.set(key, work);
  try {
    const entry = await work;
    if (kept === undefined && cache) await writeCache(key, entry);
    const make = format === 'ptx' ? ObjectCode.fromPtx : ObjectCode.fromCubin;
    return {
      object: make(entry.bytes, { name, arch }),
      compiler: `${compiler.name} ${compiler.version}`,
      resources: entry.resources,
      log: entry.log,
      reproducible: entry.reproducible,
      cached: kept !== undefined,
    };
  } finally {
    running.delete(key);
  }
}
