export { cacheFolder } from './cache-folder.js';
export { type CompileOptions, type CompileResult, compile } from './compile.js';
export { clearCache } from './compile-cache.js';
export {
  type CompiledVariant,
  compileVariant,
  entryPoints,
  type VariantTarget,
  variantEntryText,
} from './compile-variant.js';
export { type CompilerName, compilerNames, type ToolchainStatus } from './compiler.js';
export { type EntryPoint, entryText } from './entry.js';
export { type Environment, findExecutable } from './find-executable.js';
export type { KernelResources } from './log.js';
export { includeFolder, type KernelSource, sourceDigest } from './source-files.js';
export { findToolchains } from './toolchains.js';
