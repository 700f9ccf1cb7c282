export { removeArtefacts } from './artefact-folder.js';
export {
  type BuildOptions,
  type BuildReport,
  type BuiltArtefact,
  buildPackage,
  defaultArchs,
} from './build.js';
export { concurrentMap } from './concurrent-map.js';
export { findVariant, type KernelPackage, openKernelPackage } from './kernel-package.js';
export { type ShowOptions, showVariant } from './show.js';
