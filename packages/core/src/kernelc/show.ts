import { compileVariant, variantEntryText } from '../compile/compile-variant.js';
import type { CompilerName } from '../compile/compiler.js';
import { findVariant, openKernelPackage } from './kernel-package.js';

export interface ShowOptions {
  /** Folder of the kernel package. Default the current one. */
  readonly root?: string;
  /** Kernel name or variant id. */
  readonly kernel: string;
  /** Variant name; default `default`. */
  readonly variant?: string;
  /** The PTX instead of the translation unit. */
  readonly ptx?: boolean;
  /** Default `compute_90`. */
  readonly arch?: string;
  readonly compiler?: CompilerName;
}

/** What is compiled for a variant, or what comes out of it, as text. */
export async function showVariant(options: ShowOptions): Promise<string> {
  const { root = process.cwd(), kernel, ptx = false, arch = 'compute_90', compiler } = options;
  const variant = findVariant(await openKernelPackage(root), kernel, options.variant);
  if (!ptx) return variantEntryText(variant);
  const target = { arch, format: 'ptx', ...(compiler === undefined ? {} : { compiler }) } as const;
  return (await compileVariant(variant, target)).object.text;
}
