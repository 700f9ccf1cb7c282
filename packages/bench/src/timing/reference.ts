import type { Discovery } from '../discover/kernel-package.js';
import { type SelectedKernel, selectKernels } from '../discover/select.js';
import { UsageError } from '../usage-error.js';

/**
 * What kernels are measured against; undefined where nothing is.
 * @param text a selector of one kernel; `none`; or undefined, for the first that declares itself a reference
 * @throws UsageError where it is not one kernel
 */
export function chooseReference(discovery: Discovery, text: string | undefined): SelectedKernel | undefined {
  if (text === 'none') return undefined;
  if (text === undefined) {
    const kernel = discovery.kernels.find(({ gemm }) => gemm.role === 'reference');
    return kernel && { gemm: kernel.gemm, kernel };
  }
  const [kernel, ...others] = selectKernels(discovery, [text]);
  if (kernel === undefined || others.length > 0)
    throw new UsageError(`'${text}' is ${others.length + 1} kernels; a reference is one.`);
  return kernel;
}
