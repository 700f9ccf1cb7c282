import { type BoundLaunch, checkBoundLaunch } from '../device/launch.js';
import { ArgumentError } from '../errors.js';
import type { Variant } from './define-kernel.js';
import type { EntryParam, KernelEntry } from './kernel-definition.js';
import type { PlanArg, PlannedLaunch } from './plan.js';

const pointers: readonly PlanArg['type'][] = ['operand', 'scratch'];

const accepted: Readonly<Record<EntryParam['type'], readonly PlanArg['type'][]>> = {
  in: pointers,
  out: pointers,
  ptr: pointers,
  tensorMap: ['tensorMap'],
  i32: ['i32'],
  i64: ['i64'],
  f32: ['f32'],
};

/** Entry of a planned launch. @throws ArgumentError where the variant has none of that name */
export function entryOf(variant: Variant, { entry }: PlannedLaunch): KernelEntry {
  const found = Object.hasOwn(variant.entries, entry) ? variant.entries[entry] : undefined;
  if (found === undefined) {
    throw new ArgumentError(
      `${variant.id} has no entry '${entry}'; it has ${Object.keys(variant.entries).join(', ')}.`,
    );
  }
  return found;
}

/** Checks that the main entry gets the dynamic shared memory that the source counts on. @throws ArgumentError */
export function checkSharedBytes(variant: Variant, { entry, sharedBytes }: PlannedLaunch): void {
  const { dynamicSharedBytes } = variant.derived;
  if (entry !== 'main' || sharedBytes === dynamicSharedBytes) return;
  throw new ArgumentError(
    `A launch of entry main of ${variant.id} passes ${dynamicSharedBytes} bytes of dynamic shared memory, as its ` +
      `derive() says, but its plan gives ${sharedBytes}.`,
    { remedy: 'Give both from one function: derive().dynamicSharedBytes and the sharedBytes of the launch.' },
  );
}

/** Checks what a plan passes against the signature that its entry declares. @throws ArgumentError */
export function checkSignature(variant: Variant, planned: PlannedLaunch): void {
  const { signature } = entryOf(variant, planned);
  const what = `entry ${planned.entry} of ${variant.id}`;
  if (planned.args.length !== signature.length) {
    throw new ArgumentError(
      `A launch of ${what} takes ${signature.length} arguments (${signature.map(({ name }) => name).join(', ')}), ` +
        `but its plan gives ${planned.args.length}.`,
    );
  }
  for (const [i, { name, type }] of signature.entries()) {
    const given = planned.args[i]?.type as PlanArg['type'];
    if (!accepted[type].includes(given)) {
      throw new ArgumentError(
        `Argument ${name} of ${what} is declared ${type}, so its plan must give ${accepted[type].join(' or ')}, but gives ${given}.`,
      );
    }
  }
}

/** Checks a launch of a plan against the kernel that was loaded. @throws ArgumentError, ClosedError */
export function checkPlanned(variant: Variant, planned: PlannedLaunch, bound: BoundLaunch): void {
  checkBoundLaunch(bound.kernel.device, bound, {
    what: `entry ${planned.entry} of ${variant.id}`,
    args: entryOf(variant, planned).signature.map(({ name }) => name),
  });
}
