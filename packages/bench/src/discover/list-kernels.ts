import { builtArches, type Discovery } from './kernel-package.js';

/** One line of `ffma list`. */
export interface ListedKernel {
  readonly id: string;
  /** Short name, followed by `/variant` unless it is the default one: what selects it. */
  readonly selector: string;
  readonly package: string;
  readonly version: string;
  readonly basedOn: string | undefined;
  readonly exactness: string;
  /** Has m, n and k compiled in; `open`: those of a problem, when it is loaded, so that nothing is built. */
  readonly specialised: boolean;
  readonly open: boolean;
  /** True where nothing has to be built: a library behind the contract. */
  readonly library: boolean;
  /** Numbers of the architectures built, by format. */
  readonly built: { readonly ptx: readonly string[]; readonly cubin: readonly string[] };
  /** The one idea; the summary for a library. */
  readonly change: string;
}

/** The discovered kernels, default variants only unless `variants` is set. */
export function listKernels(discovery: Discovery, options: { variants?: boolean } = {}): ListedKernel[] {
  return discovery.kernels.flatMap((kernel) =>
    [...kernel.variants]
      .filter(([name]) => options.variants === true || name === 'default')
      .map(([name, gemm]) => ({
        id: gemm.id,
        selector: name === 'default' ? kernel.name : `${kernel.name}/${name}`,
        package: kernel.package.name,
        version: kernel.package.version,
        basedOn: kernel.definition?.basedOn,
        exactness: gemm.exactness,
        specialised: gemm.specialised === true,
        open: gemm.open === true,
        library: kernel.definition === undefined,
        built: builtArches(kernel.package.manifest, gemm.id),
        change: gemm.summary,
      })),
  );
}
