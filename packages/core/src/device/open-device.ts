import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { CudaDevice } from '../cuda/cuda-device.js';
import type { CudaOptions } from '../cuda/open-cuda.js';
import { ArgumentError, isFfmaError, UnavailableError } from '../errors.js';
import { checkOptionsObject } from './checks.js';
import type { Device } from './device.js';
import { shown } from './shown.js';

/** Opens devices of one kind. A package that brings a device exports one as `deviceProvider`. */
export interface DeviceProvider {
  readonly kind: string;
  open(options?: DeviceOptions): Promise<Device>;
}

/** Options are the provider's own; unknown ones are refused by it. */
export type DeviceOptions = Readonly<Record<string, unknown>>;

const providers = new Map<string, DeviceProvider>();

/** Makes `openDevice(provider.kind)` use this provider instead of looking for a package. */
export function registerProvider(provider: DeviceProvider): void {
  providers.set(provider.kind, provider);
}

async function importPeer(specifier: string): Promise<unknown> {
  const attempts: unknown[] = [];
  const from = [import.meta.url, pathToFileURL(`${process.cwd()}/`).href];
  if (process.argv[1] !== undefined) from.push(pathToFileURL(process.argv[1]).href);
  for (const base of from) {
    let path: string;
    try {
      path = createRequire(base).resolve(specifier);
    } catch (error) {
      attempts.push(error);
      continue;
    }
    return import(pathToFileURL(path).href);
  }
  throw new UnavailableError(`The package ${specifier} is not installed.`, {
    remedy: `Install it: npm install ${specifier}`,
    cause: attempts[0],
  });
}

async function providerOf(kind: string): Promise<DeviceProvider> {
  const known = providers.get(kind);
  if (known !== undefined) return known;
  if (typeof kind !== 'string' || !/^[a-z][a-z0-9-]*$/.test(kind)) {
    throw new ArgumentError(
      `A device kind is a lower-case word such as 'cuda' or 'emulator', but is ${shown(kind)}.`,
    );
  }
  const specifier = `@ffma/${kind}`;
  const module = (await importPeer(specifier)) as { deviceProvider?: DeviceProvider };
  if (module.deviceProvider === undefined) {
    throw new UnavailableError(`The package ${specifier} brings no device (it exports no deviceProvider).`);
  }
  providers.set(kind, module.deviceProvider);
  return module.deviceProvider;
}

const cudaProvider: DeviceProvider = {
  kind: 'cuda',
  // Imported when it is wanted: whoever runs without a GPU loads none of it.
  open: async (options) => (await import('../cuda/open-cuda.js')).openCuda(options),
};
providers.set('cuda', cudaProvider);

/**
 * Opens a device. `'cuda'` rejects with `FFMA_UNAVAILABLE` and the reason where there is no usable GPU;
 * `'auto'` takes CUDA where it works, else the emulator, and `device.kind` says which it is; any other kind
 * is looked for in the package `@ffma/<kind>`. Nothing falls back in silence. The options of `'auto'` are those of
 * the emulator; a GPU is then opened with its defaults.
 */
export async function openDevice(kind: 'cuda', options?: CudaOptions): Promise<CudaDevice>;
export async function openDevice(
  kind: 'cuda' | 'emulator' | 'auto' | (string & {}),
  options?: DeviceOptions,
): Promise<Device>;
export async function openDevice(
  kind: 'cuda' | 'emulator' | 'auto' | (string & {}),
  options?: DeviceOptions,
): Promise<Device> {
  checkOptionsObject('openDevice', options);
  if (kind !== 'auto') return (await providerOf(kind)).open(options);
  try {
    return await openDevice('cuda');
  } catch (error) {
    if (!isFfmaError(error) || error.code !== 'FFMA_UNAVAILABLE') throw error;
  }
  return openDevice('emulator', options);
}
