import { ArgumentError } from '@ffma/core';
import { openGpu } from '../device/open-gpu.js';
import type { SelectedKernel } from '../discover/select.js';
import { usableOn } from '../discover/usable.js';
import { shape } from '../render/numbers.js';
import { deviceFacts, hostFacts, toolVersions } from '../result/provenance.js';
import { asRow } from './as-row.js';
import { askedMetrics, profileMetrics } from './metrics.js';
import { findNcu, knownMetrics, openNcu } from './ncu.js';
import { checkOneProduct } from './one-product.js';
import { type ProfileOptions, TIMEOUT_MS, WARM_UPS } from './options.js';
import type { ProfileResult, ProfileRow } from './schema.js';
import { ProfileSession } from './session.js';
import { withStaticOpcodes } from './static-opcodes.js';
import { taskOf } from './task.js';

/** What tests put in place of a GPU. */
export interface ProfileMeans {
  readonly device: 'cuda' | 'emulator';
}

/** What the GPU is, and the kernels without those references that nobody named and that it cannot run. */
async function lookAtDevice({ device: kind }: ProfileMeans, selected: readonly SelectedKernel[]) {
  await using device = await openGpu(
    'A profile is taken on an NVIDIA GPU.',
    'What kernels do on the emulator is counted by ffma bench --device emulator.',
    kind,
  );
  const { name, arch, limits } = device;
  const { usable, leftOut } = await usableOn(device, selected);
  const notes = leftOut.map(({ kernel, reason }) => `${kernel.gemm.id} was left out: ${reason}`);
  return { facts: deviceFacts(device), planning: { name, arch, limits }, usable, notes };
}

/** As {@link profile}, with the means of tests. */
export async function profileBy(
  means: ProfileMeans,
  selected: readonly SelectedKernel[],
  options: ProfileOptions,
): Promise<ProfileResult> {
  const { cache = 'cold', warmUps = WARM_UPS, sizes, signal, onStep, onRow } = options;
  if (!Number.isSafeInteger(warmUps) || warmUps < 0)
    throw new ArgumentError(`warmUps must be an integer of at least 0, but is ${warmUps}.`);
  for (const size of sizes) checkOneProduct(size);
  const env = options.env ?? process.env;
  const ncu = await openNcu(findNcu({ env }), env);
  const { facts, planning, usable, notes } = await lookAtDevice(means, selected);
  const known = await knownMetrics(ncu, askedMetrics, env);
  const session = new ProfileSession({
    ncu,
    env,
    cwd: options.discovery.root,
    known,
    cache,
    warmUps,
    device: means.device,
    compile: options.compile,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    abort: signal,
  });
  const tasks = sizes.flatMap((size) => usable.map((kernel) => taskOf(kernel, size, planning)));
  const rows: ProfileRow[] = [];
  const soFar = (): ProfileResult => ({
    schemaVersion: 1,
    kind: 'profile',
    createdAt: new Date().toISOString(),
    tool: toolVersions(),
    ...(rows.length < tasks.length ? { interrupted: true as const } : {}),
    profiler: { name: 'Nsight Compute', version: ncu.version },
    protocol: { name: 'one-launch', version: 1, cache, clocks: 'unchanged', warmUpLaunches: warmUps },
    durations: 'profiled',
    host: hostFacts(),
    device: facts,
    metrics: profileMetrics.map(({ name, title, unit, meaning }) => ({ name, title, unit, meaning })),
    rows: [...rows],
    notes: [...notes, ...session.notes],
  });
  for (const [done, task] of tasks.entries()) {
    if (signal?.aborted === true) break;
    onStep?.({ done, total: tasks.length, label: `${shape(task.size)} ${task.kernel.gemm.id}: profile` });
    const outcome = await session.run(task);
    if (outcome === 'aborted') break;
    const row = await withStaticOpcodes(asRow(task, outcome), task, planning.arch, env);
    rows.push(row);
    await onRow?.(row, soFar());
  }
  return soFar();
}

/**
 * Profiles one multiplication of each kernel at each size by Nsight Compute: every launch of its plan, after warm-up,
 * in a process of its own, with the clocks as they are. Times under a profiler are no benchmark: the result has none
 * that could be set beside one. A kernel that cannot be profiled is a row that says why.
 *
 * @throws UnavailableError where there is no ncu or no GPU; ProfilerPermissionError and ProfilerBlockedError where this
 * machine lets nobody profile; UsageError
 */
export function profile(
  selected: readonly SelectedKernel[],
  options: ProfileOptions,
): Promise<ProfileResult> {
  return profileBy({ device: 'cuda' }, selected, options);
}
