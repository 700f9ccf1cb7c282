import type { ObjectCode } from '../device/object-code.js';
import type { Variant } from '../gemm/define-kernel.js';

export interface CompiledVariant {
  readonly object: ObjectCode;
  readonly compiler: string;
  readonly resources?: { registers?: number; sharedBytes?: number; spillBytes?: number };
}

export declare function compileVariant(
  variant: Variant,
  target: { arch: string; format: 'cubin' | 'ptx' },
): Promise<CompiledVariant>;
