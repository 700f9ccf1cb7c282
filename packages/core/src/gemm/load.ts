import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompiledVariant } from '../compile/compile-variant.js';
import { checkDevice } from '../device/checks.js';
import type { Device } from '../device/device.js';
import { type LoadedObject, ObjectCode } from '../device/object-code.js';
import { ClosedError, IntegrityError, UnsupportedError } from '../errors.js';
import { byFit, runsOn } from './artefact-arch.js';
import type { Variant } from './define-kernel.js';
import type {
  GemmArtefact,
  GemmLoadOptions,
  GemmOperands,
  LoadedGemm,
  PreparedGemm,
  PrepareOptions,
} from './gemm.js';
import type { Resources } from './kernel-definition.js';
import { artefactFolder, type ManifestArtefact, packageRootOf, readManifest } from './manifest.js';
import { prepareVariant } from './prepare.js';
import type { GemmShape } from './problem.js';
import { resourcesOf } from './resources.js';
import { openError } from './specialise.js';

/** The artefact a device runs best: its first format; a cubin of its own arch, or the newest PTX it can take (`runsOn`). */
export function chooseArtefact(
  artefacts: readonly ManifestArtefact[],
  id: string,
  device: Pick<Device, 'arch' | 'formats'>,
  format?: 'cubin' | 'ptx',
): ManifestArtefact | undefined {
  const own = artefacts.filter((a) => a.id === id);
  for (const wanted of format === undefined ? device.formats : [format]) {
    const fitting = own.filter((a) => a.format === wanted && runsOn(a, device.arch)).sort(byFit);
    if (fitting[0] !== undefined) return fitting[0];
  }
  return undefined;
}

interface Loadable {
  object: ObjectCode;
  compiler: string;
  resources: Resources;
}

async function fromManifest(
  variant: Variant,
  device: Device,
  options: GemmLoadOptions,
): Promise<Loadable | undefined> {
  const root = packageRootOf(variant.definition.source);
  const manifest = readManifest(root);
  const chosen = chooseArtefact(manifest?.artefacts ?? [], variant.id, device, options.format);
  if (chosen === undefined) return undefined;
  const path = join(artefactFolder(root), chosen.file);
  const remedy = 'Reinstall the package, or build it again with ffma-kernelc build.';
  const bytes = new Uint8Array(
    await readFile(path).catch((cause) => {
      throw new IntegrityError(`${path}, which the manifest names, cannot be read: ${cause.message}.`, {
        remedy,
        cause,
      });
    }),
  );
  const make = chosen.format === 'ptx' ? ObjectCode.fromPtx : ObjectCode.fromCubin;
  const object = make(bytes, { name: `${manifest?.package}/${chosen.file}`, arch: chosen.arch });
  if (object.sha256 !== chosen.sha256) {
    throw new IntegrityError(`${path} does not have the digest that its manifest states.`, {
      remedy,
      details: { expected: chosen.sha256, actual: object.sha256 },
    });
  }
  return { object, compiler: chosen.compiler, resources: resourcesOf(variant, chosen.resources) };
}

/** For the first of the formats that the compiler at hand makes: without ptxas there are no cubins. */
async function compiledAs(
  variant: Variant,
  arch: string,
  [format, ...others]: readonly ['cubin' | 'ptx', ...('cubin' | 'ptx')[]],
): Promise<CompiledVariant> {
  const { compileVariant } = await import('../compile/index.js');
  const target = { arch: format === 'cubin' ? arch : arch.replace('sm_', 'compute_'), format };
  const [next, ...rest] = others;
  if (next === undefined) return compileVariant(variant, target);
  return compileVariant(variant, target).catch((error) => {
    if (error instanceof UnsupportedError) return compiledAs(variant, arch, [next, ...rest]);
    throw error;
  });
}

async function compiled(variant: Variant, device: Device, options: GemmLoadOptions): Promise<Loadable> {
  const formats = options.format === undefined ? device.formats : [options.format];
  const result = await compiledAs(variant, device.arch, formats as ['cubin' | 'ptx']);
  return {
    object: result.object,
    compiler: result.compiler,
    resources: resourcesOf(variant, result.resources),
  };
}

function notBuilt(variant: Variant, device: Device): UnsupportedError {
  const built = readManifest(packageRootOf(variant.definition.source))?.artefacts ?? [];
  const own = built.filter((a) => a.id === variant.id).map((a) => `${a.format} ${a.arch}`);
  return new UnsupportedError(
    `No built artefact of ${variant.id} covers ${device.arch} (${device.formats.join(' or ')}); ` +
      `built: ${own.length > 0 ? own.join(', ') : 'none'}.`,
    {
      remedy:
        'Load it with { compile: true } (ffma: --compile) where a CUDA compiler is installed, or build it, in its ' +
        'package, with ffma-kernelc build --all-variants.',
    },
  );
}

class LoadedVariant implements LoadedGemm {
  readonly gemm: Variant;
  readonly device: Device;
  readonly artefact: GemmArtefact;
  readonly resources: Resources;
  readonly #loaded: LoadedObject;
  #closed = false;

  constructor(gemm: Variant, device: Device, loaded: LoadedObject, loadable: Loadable) {
    this.gemm = gemm;
    this.device = device;
    this.#loaded = loaded;
    this.resources = loadable.resources;
    this.artefact = {
      ranAs: loaded.ranAs,
      sha256: loadable.object.sha256,
      arch: loadable.object.arch ?? device.arch,
      compiler: loadable.compiler,
    };
  }

  prepare(shape: GemmShape, operands: GemmOperands, options?: PrepareOptions): PreparedGemm {
    if (this.#closed) throw new ClosedError(`loaded ${this.gemm.id}`);
    const { gemm, device, resources } = this;
    return prepareVariant(gemm, device, this.#loaded, resources, shape, operands, this, options);
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#loaded.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Puts a variant on a device: from its package's artefacts, or compiled where that is asked for or sizes are filled in. */
export async function loadVariant(
  variant: Variant,
  device: Device,
  options: GemmLoadOptions = {},
): Promise<LoadedGemm> {
  checkDevice(`${variant.id}.load`, device);
  if (variant.open) throw openError(variant);
  // Nobody can have built every size: where sizes are filled in, compiling is what is meant.
  const { compile = variant.needs.exactly !== undefined } = options;
  const loadable =
    (await fromManifest(variant, device, options)) ??
    (compile ? await compiled(variant, device, options) : undefined);
  if (loadable === undefined) throw notBuilt(variant, device);
  return new LoadedVariant(variant, device, await device.load(loadable.object), loadable);
}
