export type { CudaDevice, CudaOptions } from './cuda/index.js';
export { matrixOf, tensorMapRequest } from './cuda/tensor-map.js';
export * from './device/buffer.js';
export * from './device/checks.js';
export * from './device/device.js';
export * from './device/event.js';
export * from './device/kernel.js';
export * from './device/launch.js';
export * from './device/limits.js';
export * from './device/object-code.js';
export * from './device/occupancy.js';
export * from './device/open-device.js';
export { shown } from './device/shown.js';
export * from './device/span.js';
export * from './device/stream.js';
export * from './device/tensor-map.js';
export * from './errors.js';
export * from './experiment/index.js';
export * from './gemm/define-kernel.js';
export { type FastestAt, fastestOf } from './gemm/fastest.js';
export * from './gemm/gemm.js';
export * from './gemm/kernel-definition.js';
export { chooseArtefact } from './gemm/load.js';
export type { MachineCodeLimits } from './gemm/machine-code.js';
export * from './gemm/manifest.js';
export * from './gemm/multiply.js';
export * from './gemm/operands.js';
export * from './gemm/plan.js';
export * from './gemm/problem.js';
export { archNumber } from './gemm/refusal.js';
export { type ResidentBlock, residentBlocks } from './gemm/resident-blocks.js';
export { type CountedResources, resourcesOf } from './gemm/resources.js';
export type { GemmSizes } from './gemm/specialise.js';
export {
  readTuned,
  sizeClass,
  type TunedEntry,
  type TunedFile,
  tunedName,
  tunedPath,
  tunedText,
  withTuned,
} from './gemm/tuned.js';
export { symbolOf, variantId } from './gemm/variant-id.js';
