import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '../errors.js';
import type { NativeBinding } from './binding.js';
import { cutShort } from './cut-short.js';
import { errorFromNative } from './error-factory.js';

/** Version of the addon's interface that `binding.ts` describes. */
const interfaceVersion = 2;

/** Where the addon may be. */
export interface AddonCandidate {
  /** For a person. */
  readonly name: string;
  /** Path or package, as `require` takes it. */
  readonly specifier: string;
  /** Said where it is not there, as the end of a sentence. */
  readonly absence: string;
}

export interface LoadedAddon {
  readonly binding: NativeBinding;
  readonly path: string;
}

const require = createRequire(import.meta.url);

const remedy =
  'Install it with its optional dependencies where there is one for this platform (Linux on x64), ' +
  'build it where cmake and a C++ compiler are installed (npm run build in a clone of ffma), ' +
  "or use openDevice('emulator'), which runs the same kernels on the CPU.";

/** The addon that was built here, which only a clone has, then the prebuilt one of this platform. */
export function addonCandidates(platform = process.platform, arch = process.arch): AddonCandidate[] {
  const prebuilt = `@ffma/core-${platform}-${arch}`;
  const built = fileURLToPath(new URL('../../dist/native/ffma.node', import.meta.url));
  return [
    { name: built, specifier: built, absence: `none was built at ${built}` },
    { name: prebuilt, specifier: prebuilt, absence: `${prebuilt} is not installed` },
  ];
}

/** One line of a loader's message, without the path that begins it. */
function firstLine(error: unknown, path: string): string {
  const text = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  return text.replace(`${path}: `, '').replace(/\.$/, '');
}

function tryLoad({ name, specifier, absence }: AddonCandidate): LoadedAddon | { reason: string } {
  let path: string;
  try {
    path = require.resolve(specifier);
  } catch {
    return { reason: absence };
  }
  let binding: Partial<NativeBinding>;
  try {
    const fault = cutShort(path);
    if (fault !== undefined) return { reason: `${name} does not load (${fault})` };
    binding = require(path) as Partial<NativeBinding>;
  } catch (error) {
    return { reason: `${name} does not load (${firstLine(error, path)})` };
  }
  if (binding.addon !== undefined && binding.addon !== '@ffma/core')
    return { reason: `${name} is the addon of ${binding.addon}` };
  if (binding.interfaceVersion !== interfaceVersion) {
    const version = binding.interfaceVersion ?? 'none';
    return { reason: `${name} has interface version ${version}, but ${interfaceVersion} is needed` };
  }
  if (binding.addon === undefined) return { reason: `${name} is no addon of @ffma/core` };
  return { binding: binding as NativeBinding, path };
}

/** Loads the first candidate that will do. @throws UnavailableError with the reason of each that would not */
export function loadAddon(candidates: readonly AddonCandidate[] = addonCandidates()): LoadedAddon {
  const reasons: string[] = [];
  for (const candidate of candidates) {
    const loaded = tryLoad(candidate);
    if ('binding' in loaded) {
      loaded.binding.setErrorFactory(errorFromNative);
      return loaded;
    }
    reasons.push(loaded.reason);
  }
  throw new UnavailableError(`The CUDA addon of @ffma/core cannot be loaded: ${reasons.join(', and ')}.`, {
    remedy,
    details: { attempts: reasons },
  });
}

let loaded: LoadedAddon | undefined;

/** The addon, loaded once a thread. @throws UnavailableError */
export function addon(): LoadedAddon {
  loaded ??= loadAddon();
  return loaded;
}
