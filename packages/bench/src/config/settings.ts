import type { Size } from '../bench/sizes.js';
import { type Suites, suiteNamed, uniqueSizes } from '../bench/suites.js';
import type { DeviceKind } from '../device/open-bench-device.js';
import type { Protocol } from '../timing/protocol.js';
import { UsageError } from '../usage-error.js';

/** What is asked for, by a configuration or by flags; lengths of time are in ms, and widths shares of 1. */
export interface BenchFields {
  readonly kernels?: readonly string[] | undefined;
  readonly device?: DeviceKind | undefined;
  readonly sizes?: readonly Size[] | undefined;
  readonly suite?: string | undefined;
  readonly alpha?: number | undefined;
  readonly beta?: number | undefined;
  readonly reference?: string | undefined;
  readonly rounds?: number | undefined;
  readonly launches?: number | undefined;
  readonly untilCi?: number | undefined;
  readonly maxRounds?: number | undefined;
  readonly timeLimit?: number | undefined;
  readonly l2?: 'cold' | 'warm' | undefined;
  readonly graph?: boolean | undefined;
  readonly allVariants?: boolean | undefined;
  readonly compile?: boolean | undefined;
  readonly uuid?: boolean | undefined;
}

type Field = keyof BenchFields;

/** Who asks, and how it calls a field: for errors. */
export interface Asked {
  readonly fields: BenchFields;
  readonly name: (field: Field) => string;
}

/** `--until-ci` for `untilCi`; what has a flag of another name is said so. */
const otherFlags: Partial<Record<Field, string>> = { l2: '--cold or --warm', kernels: 'the kernels' };
export const flagOf = (field: Field): string =>
  otherFlags[field] ?? `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Fields that say one thing in several ways: who asks for one of them replaces all that was asked for before. */
const together: readonly (readonly Field[])[] = [
  ['sizes', 'suite'],
  ['rounds', 'untilCi'],
];

const given = (fields: BenchFields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as BenchFields;

/** One field says how many rounds there are. @throws UsageError where two contradict each other */
function checkOne({ fields, name }: Asked): void {
  if (fields.rounds === undefined || fields.untilCi === undefined) return;
  throw new UsageError(
    `${name('rounds')} asks for a fixed number of rounds, and ${name('untilCi')} for as many as it takes.`,
    { remedy: `Leave one out; ${name('maxRounds')} says how many there may be at most.` },
  );
}

/**
 * What is asked for by a configuration and by flags: flags override it field by field.
 * @throws UsageError for fields that contradict each other, naming them as they were written
 */
export function mergeFields(config: Asked, flags: Asked): BenchFields {
  for (const asked of [config, flags]) checkOne(asked);
  const own = given(flags.fields);
  const replaced = together.filter((fields) => fields.some((field) => field in own)).flat();
  const kept = Object.entries(given(config.fields)).filter(([field]) => !replaced.includes(field as Field));
  const merged: BenchFields = { ...Object.fromEntries(kept), ...own };
  if (merged.maxRounds !== undefined && merged.untilCi === undefined) {
    const by = own.maxRounds === undefined ? config : flags;
    // A configuration may say both, of which a flag has replaced one.
    if (by === config && config.fields.untilCi !== undefined) return { ...merged, maxRounds: undefined };
    throw new UsageError(`${by.name('maxRounds')} is about ${by.name('untilCi')}, which is not asked for.`, {
      remedy: `Use ${by.name('rounds')} for a fixed number.`,
    });
  }
  return merged;
}

/** The sizes asked for, each once; undefined where nobody asks for any. @throws UsageError for an unknown suite */
export function sizesOf({ sizes, suite }: BenchFields, suites: Suites): readonly Size[] | undefined {
  if (sizes === undefined && suite === undefined) return undefined;
  return uniqueSizes([...(sizes ?? []), ...(suite === undefined ? [] : suiteNamed(suite, suites))]);
}

/** How times are taken, of what is asked for. */
export function protocolFrom(fields: BenchFields): Partial<Protocol> {
  const { launches, untilCi, maxRounds, timeLimit, l2, graph, rounds = maxRounds } = fields;
  const all = { rounds, launches, untilWidth: untilCi, timeLimitMs: timeLimit, l2, graph };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Fields that say how times are taken, and nothing where there is no clock of a GPU. */
export const timingFields = [
  'reference',
  'rounds',
  'launches',
  'untilCi',
  'maxRounds',
  'timeLimit',
  'l2',
  'graph',
] as const satisfies readonly Field[];
