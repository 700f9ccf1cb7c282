import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import type { Device } from '@ffma/core';
import { nearestPackageFolder, readPackageJson } from '../discover/package-json.js';
import type { DeviceFacts, HostFacts } from './schema.js';

/** Versions of the ffma packages that are at work, as installed. */
export function toolVersions(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const own = readPackageJson(nearestPackageFolder(import.meta.dirname) as string);
  const parts = Object.keys(own.dependencies ?? {}).filter((name) => name.startsWith('@ffma/'));
  const versions = parts.map((name) => [
    name,
    (require(`${name}/package.json`) as { version: string }).version,
  ]);
  return Object.fromEntries([[own.name, own.version], ...versions]) as Record<string, string>;
}

export function hostFacts(): HostFacts {
  return {
    platform: `${platform()} ${arch()}`,
    release: release(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    v8: process.versions.v8,
  };
}

type Detail = string | number | boolean;

/** Fields beyond the `Device` interface that identify a device or what it did; taken where it has them. */
const detailNames = ['profile', 'fma', 'workers', 'checks', 'counters'] as const;

/** What a CUDA device says of itself. */
interface CudaLike {
  readonly properties?: {
    readonly uuid?: string;
    readonly driverVersion?: string;
    readonly cudaVersion?: string;
    readonly attributes?: { readonly clockRateKHz?: number };
  };
}

/** Tells GPUs apart without naming one: the first 16 hex digits of the SHA-256 of its UUID. */
export function uuidDigest(uuid: string): string {
  return createHash('sha256').update(uuid).digest('hex').slice(0, 16);
}

function detailsOf(device: Device, { uuid: plain = false }: DeviceFactsOptions): Record<string, Detail> {
  const own = device as unknown as Record<string, unknown>;
  const { uuid, driverVersion, cudaVersion, attributes } = (device as CudaLike).properties ?? {};
  const kHz = attributes?.clockRateKHz;
  const all: Record<string, unknown> = {
    ...Object.fromEntries(detailNames.map((name) => [name, own[name]])),
    ...(plain ? { uuid } : { gpu: uuid && uuidDigest(uuid) }),
    driver: driverVersion,
    cuda: cudaVersion,
    maxSmClockMHz: kHz === undefined ? undefined : kHz / 1000,
  };
  const known = Object.entries(all).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  return Object.fromEntries(known) as Record<string, Detail>;
}

export interface DeviceFactsOptions {
  /** Keep a GPU's UUID as it is; else its digest, as `gpu`. Default false. */
  readonly uuid?: boolean | undefined;
}

export function deviceFacts(device: Device, options: DeviceFactsOptions = {}): DeviceFacts {
  const limits = Object.entries(device.limits).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...value] : value,
  ]);
  return {
    kind: device.kind,
    name: device.name,
    arch: device.arch,
    limits: Object.fromEntries(limits) as DeviceFacts['limits'],
    details: detailsOf(device, options),
  };
}
