import type { SelectedKernel } from '../discover/select.js';
import { asVariant } from '../inspect/as-variant.js';
import type { ResultRow } from './schema.js';

/** What a row says of whatever it was made of. */
export function rowIdentity({
  gemm,
  kernel,
}: SelectedKernel): Pick<ResultRow, 'id' | 'kernel' | 'package' | 'params' | 'exactness'> {
  return {
    id: gemm.id,
    kernel: kernel.name,
    package: { name: kernel.package.name, version: kernel.package.version },
    params: { ...asVariant(gemm)?.params },
    exactness: gemm.exactness,
  };
}
