export type { TensorMap, TensorMapOptions } from '../device/tensor-map.js';
export type { ClockSample } from './clock-sample.js';
export { CudaBuffer } from './cuda-buffer.js';
export { CudaDevice, type PinnedMemory } from './cuda-device.js';
export { CudaEvent } from './cuda-event.js';
export { CudaKernel, CudaObject } from './cuda-object.js';
export { CudaStream } from './cuda-stream.js';
export { cutShort } from './cut-short.js';
export type { DeviceAttributes } from './device-attributes.js';
export type { CudaDeviceProperties } from './device-properties.js';
export { CudaLaunchBatch } from './launch-batch.js';
export {
  type LibraryPlace,
  type LibrarySearch,
  libraries,
  libraryCandidates,
  libraryPlaces,
} from './library-paths.js';
export { type CudaOptions, openCuda } from './open-cuda.js';
export { type CudaReport, cudaReport, type Part } from './report.js';
export { type SearchContext, searchContext } from './search-context.js';
