import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '@ffma/core';
import { cutShort } from '@ffma/core/cuda';
import type { NativeBinding } from './binding.js';

/** Version of the addon's interface that `binding.ts` describes. */
export const interfaceVersion = 2;

const require = createRequire(import.meta.url);

/** Where the addon may be, as `require` takes it: built here, which only a clone has, then prebuilt for the platform. */
export function addonCandidates(platform = process.platform, arch = process.arch): string[] {
  const built = fileURLToPath(new URL('../../dist/native/ffma_cublas.node', import.meta.url));
  return [built, `@ffma/cublas-ref-${platform}-${arch}`];
}

/** The addon, or why it cannot be used, as a sentence without its end. */
function tryLoad(candidate: string): NativeBinding | string {
  let path: string;
  try {
    path = require.resolve(candidate);
  } catch {
    return `${candidate} is not there`;
  }
  let binding: Partial<NativeBinding>;
  try {
    const fault = cutShort(path);
    if (fault !== undefined) return `${candidate} does not load (${fault})`;
    binding = require(path) as Partial<NativeBinding>;
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return `${candidate} does not load (${reason.replace(`${path}: `, '')})`;
  }
  if (binding.addon !== undefined && binding.addon !== '@ffma/cublas-ref')
    return `${candidate} is the addon of ${binding.addon}`;
  if (binding.interfaceVersion !== interfaceVersion) {
    const version = binding.interfaceVersion ?? 'none';
    return `${candidate} has interface version ${version}, but ${interfaceVersion} is needed`;
  }
  return binding.addon === undefined
    ? `${candidate} is no addon of @ffma/cublas-ref`
    : (binding as NativeBinding);
}

/** Loads the first candidate that will do. @throws UnavailableError with the reason of each that would not */
export function loadAddon(candidates: readonly string[] = addonCandidates()): NativeBinding {
  const reasons: string[] = [];
  for (const candidate of candidates) {
    const result = tryLoad(candidate);
    if (typeof result !== 'string') return result;
    reasons.push(result);
  }
  throw new UnavailableError(`The addon of @ffma/cublas-ref cannot be loaded: ${reasons.join(', and ')}.`, {
    remedy:
      'Install it with its optional dependencies where there is one for this platform (Linux on x64), ' +
      'or build it where cmake and a C++ compiler are installed: npm run build in a clone of ffma.',
    details: { attempts: reasons },
  });
}

let loaded: NativeBinding | undefined;

/** The addon, loaded once a thread. @throws UnavailableError */
export function addon(): NativeBinding {
  loaded ??= loadAddon();
  return loaded;
}
