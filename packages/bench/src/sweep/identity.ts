import { isDeepStrictEqual } from 'node:util';
import { type Device, type KernelDefinition, UnavailableError } from '@ffma/core';
import { findToolchains, sourceDigest } from '@ffma/core/compile';
import type { SelectedKernel } from '../discover/select.js';
import { deviceFacts, toolVersions } from '../result/provenance.js';
import type { SweepProtocol } from './protocol.js';
import type { Identity } from './records.js';
import type { SearchSpace } from './space.js';

/** Facts of a device that two of one model share. */
function modelOf(device: Device): Identity['device'] {
  const { kind, name, arch, details } = deviceFacts(device);
  const { driver, profile, maxSmClockMHz } = details;
  const more = Object.entries({ profile, maxSmClockMHz }).filter(([, value]) => typeof value === 'number');
  return {
    kind,
    name,
    arch,
    ...(driver === undefined ? {} : { driver: String(driver) }),
    ...(more.length === 0 ? {} : { details: Object.fromEntries(more) as Record<string, number> }),
  };
}

/** The compiler that `compile` takes. @throws UnavailableError where there is none */
export async function compilerInUse(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const all = await findToolchains();
  const found = all.find(({ name, available }) =>
    env.FFMA_CUDA_COMPILER ? name === env.FFMA_CUDA_COMPILER : available,
  );
  if (found?.available) return `${found.name} ${found.version}`;
  throw new UnavailableError('A sweep compiles its variants, and there is no CUDA compiler.', {
    remedy: 'Install one (Debian: apt-get install clang-19).',
  });
}

export interface IdentityParts {
  readonly kernel: SelectedKernel['kernel'];
  readonly definition: KernelDefinition;
  readonly space: SearchSpace;
  readonly device: Device;
  readonly compiler: string;
  readonly reference: SelectedKernel | undefined;
  readonly rankedBy: string;
  readonly protocol: SweepProtocol;
}

/** What a sweep is of: measurements of two that differ in it do not belong together. */
export async function identityOf(parts: IdentityParts): Promise<Identity> {
  const { kernel, definition, space, device, compiler, reference, rankedBy, protocol } = parts;
  const { name, version } = kernel.package;
  const owner = reference?.kernel.package;
  return {
    kernel: kernel.name,
    package: { name, version },
    source: await sourceDigest(definition.source),
    space: Object.fromEntries(Object.entries(space).map(([param, values]) => [param, [...values]])),
    params: { ...definition.params },
    device: modelOf(device),
    compiler,
    ...(reference === undefined || owner === undefined
      ? {}
      : { reference: { id: reference.gemm.id, package: { name: owner.name, version: owner.version } } }),
    rankedBy,
    protocol: { name: 'successive-halving', version: 1, parameters: { ...protocol } },
    tool: toolVersions(),
  };
}

const words: Readonly<Record<keyof Identity, string>> = {
  kernel: 'the kernel',
  package: 'the version of its package',
  source: "the kernel's source",
  space: 'the space',
  params: 'parameters that are not searched',
  device: 'the model of the device, or its driver',
  compiler: 'the compiler',
  reference: 'the reference',
  rankedBy: 'what candidates are ranked by',
  protocol: 'the protocol',
  tool: 'the versions of the ffma packages',
};

const shown = (value: unknown) => {
  const text =
    typeof value === 'string' ? value.replace(/^([0-9a-f]{8})[0-9a-f]{56}$/, '$1…') : JSON.stringify(value);
  return text === undefined ? 'none' : text.length > 100 ? `${text.slice(0, 99)}…` : text;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of two objects only what is not the same in both, however deep; other values as they are. */
function parts(x: unknown, y: unknown): readonly [unknown, unknown] {
  if (!isRecord(x) || !isRecord(y)) return [x, y];
  const names = [...new Set([...Object.keys(x), ...Object.keys(y)])];
  const differing = names
    .filter((name) => !isDeepStrictEqual(x[name], y[name]))
    .map((name) => [name, parts(x[name], y[name])] as const);
  return [
    Object.fromEntries(differing.map(([name, [own]]) => [name, own])),
    Object.fromEntries(differing.map(([name, [, other]]) => [name, other])),
  ];
}

/** In what two sweeps differ, as phrases: `the space ({"BM":[64]}, not {"BM":[64,128]})`. Empty where they go together. */
export function differences(now: Identity, other: Identity): string[] {
  // Of another kernel everything is different.
  const names =
    now.kernel === other.kernel ? (Object.keys(words) as (keyof Identity)[]) : (['kernel'] as const);
  return names
    .filter((name) => !isDeepStrictEqual(now[name], other[name]))
    .map((name) => {
      const [x, y] = parts(now[name], other[name]);
      return `${words[name]} (${shown(x)}, not ${shown(y)})`;
    });
}
