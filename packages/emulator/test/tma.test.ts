import { KernelFaultError } from '@ffma/core';
import { counterFacts, EmulatorDevice, scheduleText, someSchedules } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { runTma, sourceLine } from './support/tma.js';

const K = 160;
const a = Float32Array.from({ length: 8 * K }, (_, i) => ((i * 7) % 11) - 5);
const b = Float32Array.from({ length: K * 32 }, (_, i) => ((i * 5) % 13) - 6);
const product = new Float32Array(16 * 32);
for (let row = 0; row < 8; row++) {
  for (let col = 0; col < 32; col++) {
    let sum = 0;
    for (let k = 0; k < K; k++) sum += a[row * K + k]! * b[k * 32 + col]!;
    product[row * 32 + col] = sum;
    product[(8 + row) * 32 + col] = 2 * sum;
  }
}

const devices: EmulatorDevice[] = [];
const open = (options: ConstructorParameters<typeof EmulatorDevice>[0]) => {
  const device = new EmulatorDevice({ workers: 1, ...options });
  devices.push(device);
  return device;
};
const device = open({});
afterAll(() => {
  for (const one of devices) one.close();
});

describe('a pipeline of tiles with full and empty stages', () => {
  test.each([
    ['all checks', {}],
    ['no checks', { checks: false }],
    ['counters', { counters: true }],
    ['races between blocks looked for', { checks: { racecheck: 'global' } }],
  ] as const)('with %s', async (_, options) => {
    expect(await runTma(open(options), 'none', a, b)).toEqual(product);
  });

  test.each(someSchedules(5).map((schedule) => [scheduleText(schedule), schedule] as const))(
    'under the schedule %s',
    async (_, schedule) => {
      expect(await runTma(open({ schedule }), 'none', a, b)).toEqual(product);
    },
  );
});

test('copies in bulk are counted as what they do to both memories', async () => {
  const counting = open({ counters: true });
  await runTma(counting, 'none', a, b);
  const facts = counterFacts(counting.takeProfiles());
  const chunks = K / 32;
  // Of a chunk, 8 rows of A and 32 of B, of four sectors each; C twice.
  expect(
    Object.fromEntries(
      [
        'global.load.requests',
        'global.load.sectors',
        'global.load.bytesPerSector',
        'global.store.requests',
        'global.store.sectors',
        'shared.copy.requests',
        'async.bytes',
      ].map((name) => [name, facts.value(name)]),
    ),
  ).toEqual({
    'global.load.requests': 2 * chunks,
    'global.load.sectors': 160 * chunks,
    'global.load.bytesPerSector': 32,
    'global.store.requests': 2,
    'global.store.sectors': 64,
    'shared.copy.requests': 2 * chunks,
    'async.bytes': 5120 * chunks,
  });
});

/** Mistake, fault, part of the line of the source that it blames, and what it says. */
type Mistake = readonly [mistake: string, kind: string, line: string, first: RegExp, second?: RegExp];
const MISTAKES: readonly Mistake[] = [
  ['wrong_parity', 'copy-in-flight', 's.b[stage]', /Load of 4 bytes/, /issued at PTX line \d+, tma.cu:/],
  ['no_announcement', 'copy-in-flight', 's.b[stage]', /Load of 4 bytes/],
  ['too_few_bytes', 'mbarrier', 'load_tile', /1024 bytes more than were announced/],
  [
    'too_many_bytes',
    'deadlock',
    'wait_parity(full',
    /phase 0 \(parity 0\), in which 0 of its 1 arrivals and 1024 bytes are still to come, and no copy is on its way/,
  ],
  ['no_arrival', 'deadlock', '&s.empty[stage]', /waits for parity 0 .* 64 of its 64 arrivals/],
  ['too_many_arrivals', 'mbarrier', 'arrive(empty)', /phase 1 comes before anybody .* end of phase 0/],
  ['no_wait', 'copy-in-flight', 's.b[stage]', /that of thread 0 of the block, issued/],
  [
    'no_fence_of_barriers',
    'mbarrier',
    'load_tile',
    /fence.mbarrier_init or fence.proxy.async is missing/,
    /initialised at PTX line \d+, tma.cu:/,
  ],
  ['no_barrier_behind_init', 'mbarrier', 'wait_parity(full', /no barrier since that would show that/],
  ['made_twice', 'mbarrier', 'M == made_twice', /initialised at PTX line \d+, tma.cu:\d+ already/],
  ['used_after_end', 'mbarrier', '&s.empty[stage]', /or it was invalidated/],
  ['stage_overwritten', 'mbarrier', 'arrive_expecting(full', /1 arrival comes, but 0 of its 1/],
  ['stage_touched', 'copy-in-flight', 'M == stage_touched', /Store of 4 bytes/],
  ['early_arrival', 'race', 'load_tile', /Race: bulk copy, .* read at PTX line \d+ \(ld.shared/],
  ['one_stage', 'race', 'load_tile', /Race: bulk copy, .* a copy in bulk wrote at PTX line/],
  ['no_fence_for_stores', 'race', 'store_tile', /with no fence.proxy.async in between/, /wrote at PTX line/],
  ['no_wait_for_read', 'race', 's.c[thread', /a copy in bulk read at PTX line/],
  ['no_commit', 'race', 's.c[thread', /a copy in bulk read at PTX line/],
  ['no_wait_for_stores', 'race', 's.c[thread', /a copy in bulk read at PTX line/],
  ['misaligned_tile', 'bulk-copy', 'load_tile', /multiple of 128/],
  ['odd_column', 'bulk-copy', 'load_tile', /column that is a multiple of 4/],
];

describe('mistakes', () => {
  test.each(MISTAKES.map((one) => [one[0], one] as const))(
    '%s',
    async (_, [mistake, kind, line, first, second = first]) => {
      const error = await runTma(device, mistake, a, b).then(
        () => undefined,
        (cause: unknown) => cause,
      );
      if (!(error instanceof KernelFaultError)) throw new Error(`${mistake} is not found.`, { cause: error });
      expect(error.kind, error.message).toBe(kind);
      for (const part of [first, second]) expect(error.message).toMatch(part);
      const { file, line: number } = error.place.source!;
      // A statement may have begun a line before.
      const lines = [number - 1, number].map((at) => sourceLine(file, at));
      expect(lines.join(' '), error.message).toContain(line);
    },
  );

  test('other_swizzle: the sums are wrong', async () => {
    expect(await runTma(device, 'other_swizzle', a, b)).not.toEqual(product);
  });
});
