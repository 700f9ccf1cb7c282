import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnavailableError } from '@ffma/core';
import { ProfilerFailedError, profilerFault } from './errors.js';
import { findTool, inToolkit, placesOf, type SearchContext, type ToolPlaces } from './find-tool.js';
import { runTool, type ToolOptions } from './run-tool.js';

/** Nsight Compute's command line. */
export interface Ncu {
  readonly path: string;
  /** E.g. `2025.3.0.0`. */
  readonly version: string;
}

export const ncuPlaces: ToolPlaces = {
  name: 'ncu',
  variable: 'FFMA_NCU',
  versions: [inToolkit('ncu'), { folder: '/opt/nvidia/nsight-compute', names: /^\d/, inside: 'ncu' }],
};

/** @throws UnavailableError listing where it was looked for; UsageError where FFMA_NCU names nothing */
export function findNcu(context: SearchContext): string {
  const path = findTool(ncuPlaces, context);
  if (path !== undefined) return path;
  throw new UnavailableError(
    'Nsight Compute (ncu) was not found on the PATH, in CUDA_HOME, in /usr/local/cuda*/bin ' +
      'or in /opt/nvidia/nsight-compute.',
    {
      remedy: 'Install it with the CUDA toolkit (package nsight-compute), or name the program in FFMA_NCU.',
      details: { places: placesOf(ncuPlaces, context) },
    },
  );
}

/** Its version, and thereby whether it runs at all. @throws UnavailableError, ProfilerFailedError */
export async function openNcu(path: string, env: NodeJS.ProcessEnv): Promise<Ncu> {
  const { code, signal, output } = await runTool(path, ['--version'], { env });
  const fault = profilerFault(output, code, signal);
  if (fault !== undefined) throw fault;
  const version = /Version\s+(\d[\d.]*)/.exec(output)?.[1];
  if (version === undefined)
    throw new ProfilerFailedError(`${path} says no version, so it is not Nsight Compute: ${output.trim()}`);
  return { path, version };
}

/** Metrics of these providers are made by ncu itself, and no query lists them. */
const UNLISTED = /^(?:launch__|derived__|memory_|sass__|inst_)|__sass_/;

/**
 * Those of some metrics that this ncu has for the GPU here. Where it does not say, all of them: whoever asks then
 * learns it from the error.
 */
export async function knownMetrics(ncu: Ncu, wanted: readonly string[], env: NodeJS.ProcessEnv) {
  const { output } = await runTool(ncu.path, ['--query-metrics'], { env });
  const fault = profilerFault(output, 0);
  if (fault !== undefined) throw fault;
  const listed = new Set(
    output
      .split('\n')
      .map((line) => line.trimStart().split(/\s/)[0] as string)
      .filter((name) => name.includes('__')),
  );
  if (listed.size === 0) return [...wanted];
  return wanted.filter((name) => UNLISTED.test(name) || listed.has(name.split('.')[0] as string));
}

/** What ncu is to profile, and of which launches. */
export interface NcuRequest {
  readonly metrics: readonly string[];
  readonly cache: 'cold' | 'warm';
  /** Device symbols; launches of others are neither profiled nor counted. Absent: every launch. */
  readonly symbols?: readonly string[] | undefined;
  /** Launches to let pass, and to profile after them; absent: all. */
  readonly skip?: number | undefined;
  readonly count?: number | undefined;
  /** The program and its arguments. */
  readonly program: readonly string[];
}

const escaped = (symbol: string) => symbol.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** ncu's arguments, its own first. Its messages and its table go to `log`, apart from what the program prints. */
export function ncuArguments(
  { metrics, cache, symbols, skip, count, program }: NcuRequest,
  log?: string,
): string[] {
  const filter = symbols?.map(escaped).join('|');
  return [
    ...['--target-processes', 'application-only', '--replay-mode', 'kernel'],
    ...['--clock-control', 'none', '--cache-control', cache === 'cold' ? 'all' : 'none'],
    ...['--csv', '--page', 'raw', '--print-units', 'base', '--print-metric-instances', 'details'],
    ...(filter === undefined
      ? []
      : ['--kernel-name-base', 'function', '--kernel-name', `regex:^(${filter})$`]),
    ...(skip === undefined ? [] : ['--launch-skip', String(skip)]),
    ...(count === undefined ? [] : ['--launch-count', String(count)]),
    ...(log === undefined ? [] : ['--log-file', log]),
    ...['--metrics', metrics.join(',')],
    ...program,
  ];
}

/**
 * Profiles a program.
 * @returns what ncu printed, which holds the table
 * @throws UnavailableError and its kinds where nothing can be profiled here; ProfilerFailedError and its kinds for this
 * program alone
 */
export async function runNcu(ncu: Ncu, request: NcuRequest, options: ToolOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ffma-ncu-'));
  try {
    const log = join(folder, 'ncu.log');
    const result = await runTool(ncu.path, ncuArguments(request, log), options);
    const printed = await readFile(log, 'utf8').catch(() => '');
    if (result.timedOut) {
      throw new ProfilerFailedError(
        `Nsight Compute was ended after ${(options.timeoutMs ?? 0) / 1000} s without a result.`,
        { remedy: 'Give it longer with --timeout, or profile a smaller size.' },
      );
    }
    const fault = profilerFault(`${printed}\n${result.output}`, result.code, result.signal);
    if (fault !== undefined) throw fault;
    return printed === '' ? result.stdout : printed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
