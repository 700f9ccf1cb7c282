import { availableParallelism } from 'node:os';
import { checkArch } from '../compile/compile.js';
import { type CompiledVariant, compileVariant } from '../compile/compile-variant.js';
import type { CompilerName } from '../compile/compiler.js';
import type { ObjectFormat } from '../device/object-code.js';
import { ArgumentError, CompileError } from '../errors.js';
import type { Variant } from '../gemm/define-kernel.js';
import type { KernelManifest, ManifestArtefact } from '../gemm/manifest.js';
import { archNumber } from '../gemm/refusal.js';
import type { GemmSizes } from '../gemm/specialise.js';
import { artefactFile, writeArtefacts } from './artefact-folder.js';
import { chosenVariants } from './chosen-variants.js';
import { concurrentMap } from './concurrent-map.js';
import { openKernelPackage } from './kernel-package.js';
import { shipSources } from './ship-sources.js';

/** PTX that every package ships, of kernels that do not need more: for any GPU from sm_80 on, and with what sm_90 adds. */
export const defaultArchs = ['compute_80', 'compute_90'] as const;

export interface BuildOptions {
  /** Folder of the kernel package. Default the current one. */
  readonly root?: string;
  /** Every declared variant, not only the default ones and those that a kernel says it ships. Default false. */
  readonly allVariants?: boolean;
  /** For which variants that have m, n and k compiled in are built; where they take them. Default: none are. */
  readonly sizes?: readonly GemmSizes[];
  /** Architectures to make cubins for beside the PTX, e.g. `sm_90`. */
  readonly cubins?: readonly string[];
  /** Ids of the variants that cubins are made of. Default all that are built. */
  readonly cubinsOf?: readonly string[];
  /** Compilations at a time. Default one a core. */
  readonly jobs?: number;
  readonly compiler?: CompilerName;
}

/** One artefact as it was made. */
export interface BuiltArtefact extends ManifestArtefact {
  readonly byteLength: number;
  readonly cached: boolean;
}

export interface BuildReport {
  readonly manifest: KernelManifest;
  readonly artefacts: readonly BuiltArtefact[];
  /** Wall time in milliseconds. */
  readonly elapsedMs: number;
}

interface Job {
  readonly variant: Variant;
  readonly format: ObjectFormat;
  readonly arch: string;
}

function describe({ variant, format, arch }: Job, compiled: CompiledVariant): BuiltArtefact {
  return {
    id: variant.id,
    kernel: variant.kernel,
    params: variant.params,
    format,
    arch,
    file: artefactFile({ id: variant.id, format, arch }),
    sha256: compiled.object.sha256,
    compiler: compiled.compiler,
    symbols: variant.symbols,
    ...(compiled.resources === undefined ? {} : { resources: compiled.resources }),
    reproducible: compiled.reproducible,
    byteLength: compiled.object.bytes.length,
    cached: compiled.cached,
  };
}

/** What a compiled variant does that its declaration does not allow, as a sentence. */
function complaint({ variant, arch }: Job, { resources, compiler }: CompiledVariant): string | undefined {
  if (resources === undefined) return undefined;
  const counted = Object.entries(resources);
  const spilling = counted.find(([, own]) => (own?.spillBytes ?? 0) > 0);
  // What clang makes is for the emulator and for machines without NVIDIA's compiler: it must run, not be the fastest.
  const counts = variant.definition.allowSpills === undefined && !compiler.startsWith('clang ');
  if (spilling !== undefined && counts) {
    const [entry, own] = spilling;
    return `${variant.id} spills ${own?.spillBytes} bytes a thread in its entry ${entry} for ${arch}: use fewer registers, or explain it in allowSpills.`;
  }
  const sharedBytes = Math.max(0, ...counted.map(([, own]) => own?.sharedBytes ?? 0));
  if (sharedBytes !== variant.derived.sharedBytes) {
    return `${variant.id} declares ${sharedBytes} bytes of shared memory, but derive() gives ${variant.derived.sharedBytes}.`;
  }
  return undefined;
}

function failure(reasons: readonly unknown[], jobs: number): unknown {
  const messages = [...new Set(reasons.map((reason) => (reason as Error).message))];
  if (messages.length === 1) return reasons[0];
  const logs = reasons.map((reason) => (reason instanceof CompileError ? reason.details?.log : undefined));
  return new CompileError(`${reasons.length} of ${jobs} compilations failed:\n${messages.join('\n')}`, {
    details: { log: [...new Set(logs.filter((log) => log !== undefined))].join('\n') },
  });
}

/**
 * Compiles a package's variants and writes them, with the manifest, to `dist/kernels`. Where anything fails, nothing
 * is written. @throws ArgumentError, UnavailableError, UnsupportedError, CompileError
 */
export async function buildPackage(options: BuildOptions = {}): Promise<BuildReport> {
  const started = performance.now();
  const {
    root = process.cwd(),
    allVariants = false,
    sizes = [],
    cubins = [],
    cubinsOf,
    jobs = availableParallelism(),
    compiler,
  } = options;
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new ArgumentError(`jobs must be an integer of at least 1, but is ${jobs}.`);
  for (const arch of cubins) checkArch(arch, 'cubin');
  const { name, version, kernels } = await openKernelPackage(root);
  const variants = chosenVariants(name, kernels, { allVariants, sizes });
  const unknown = cubinsOf?.find((id) => variants.every((variant) => variant.id !== id));
  if (unknown !== undefined) {
    throw new ArgumentError(`Nothing that is built of ${name} has the id ${unknown}, to make a cubin of.`, {
      remedy: 'Name one that the table of ffma-kernelc build has.',
    });
  }
  await shipSources(root, kernels);
  const targets = [
    ...defaultArchs.map((arch) => ({ format: 'ptx', arch }) as const),
    ...[...new Set(cubins)].map((arch) => ({ format: 'cubin', arch }) as const),
  ];
  const work: Job[] = variants.flatMap((variant) =>
    targets
      .filter(({ arch }) => archNumber(arch) >= (variant.needs.arch ?? 0))
      .filter(({ format }) => format === 'ptx' || (cubinsOf?.includes(variant.id) ?? true))
      .map((target) => ({ variant, ...target })),
  );
  const results = await concurrentMap(work, jobs, async (job) => {
    const target = { arch: job.arch, format: job.format, ...(compiler === undefined ? {} : { compiler }) };
    const compiled = await compileVariant(job.variant, target);
    const refused = complaint(job, compiled);
    if (refused !== undefined) throw new CompileError(refused);
    return { artefact: describe(job, compiled), bytes: compiled.object.bytes };
  });
  const failed = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (failed.length > 0) throw failure(failed, work.length);
  const built = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const artefacts = built.map(({ artefact }) => artefact);
  const manifest: KernelManifest = {
    schemaVersion: 1,
    package: name,
    version,
    artefacts: artefacts.map(({ byteLength, cached, ...stated }) => stated),
  };
  const bytes = new Map(built.map(({ artefact, bytes }) => [artefact.file, bytes]));
  await writeArtefacts(root, manifest, ({ file }) => bytes.get(file) as Uint8Array);
  return { manifest, artefacts, elapsedMs: performance.now() - started };
}
