import { openBenchDevice } from '../device/open-bench-device.js';
import type { SelectedKernel } from '../discover/select.js';
import { askedMetrics } from './metrics.js';
import { ncuArguments } from './ncu.js';
import { checkOneProduct } from './one-product.js';
import { type ProfileOptions, WARM_UPS } from './options.js';
import { programOf } from './program.js';
import { type ProfileTask, taskOf } from './task.js';

/** A command that `ffma profile` would run, or why it would run none. */
export interface PlannedProfile {
  readonly id: string;
  readonly size: { readonly m: number; readonly n: number; readonly k: number };
  /** Program and arguments; undefined where the kernel does not take the size. */
  readonly command: readonly string[] | undefined;
  /** What to know about it, as a sentence. */
  readonly note?: string;
}

function commandOf(
  task: ProfileTask,
  options: Pick<ProfileOptions, 'cache' | 'warmUps' | 'compile'>,
): string[] {
  const { cache = 'cold', warmUps = WARM_UPS, compile } = options;
  const { symbols } = task;
  return [
    'ncu',
    ...ncuArguments({
      metrics: askedMetrics,
      cache,
      ...(symbols === undefined
        ? {}
        : { symbols: [...new Set(symbols)], skip: warmUps * symbols.length, count: symbols.length }),
      program: programOf(task, { warmUps: symbols === undefined ? 0 : warmUps, compile }),
    }),
  ];
}

/**
 * The commands that `profile` would run, planned for the GPU of this machine, or for the one that is emulated where
 * there is none. Nothing is run, and ncu need not be there; metrics that it turns out not to have are left out only
 * when it runs.
 */
export async function planProfile(
  selected: readonly SelectedKernel[],
  options: Pick<ProfileOptions, 'sizes' | 'cache' | 'warmUps' | 'compile'>,
): Promise<PlannedProfile[]> {
  for (const size of options.sizes) checkOneProduct(size);
  await using device = await openBenchDevice({ kind: 'auto', workers: 1 });
  return options.sizes.flatMap((size) =>
    selected.map((kernel) => {
      const task = taskOf(kernel, size, device);
      const { id } = kernel.gemm;
      if (task.refusal !== undefined) return { id, size, command: undefined, note: task.refusal };
      const library =
        'A library does not say what it launches: this shows it, and a second run lets that many pass.';
      return {
        id,
        size,
        command: commandOf(task, options),
        ...(task.symbols === undefined ? { note: library } : {}),
      };
    }),
  );
}
