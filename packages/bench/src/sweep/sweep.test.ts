import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mergeSweeps } from '../merge/merge-sweeps.js';
import { discoveryOf, type FakeKernelOptions, fakeKernel } from '../test-support/fake-kernel.js';
import { FakeTimingDevice } from '../test-support/fake-timing-device.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import {
  fakeCompiler,
  modelDevice,
  modelUs,
  refusesToCompile,
  sweepHere,
  sweptDiscovery,
} from '../test-support/swept-kernel.js';
import { takeLock } from './lock.js';
import type { SweepOptions } from './options.js';
import type { RoundRecord } from './records.js';
import type { SweepResult } from './schema.js';
import { journalOf, lockOf } from './store.js';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'k50.json');
});
afterEach(() => folder[Symbol.dispose]());

const BEST = 'k50_bm16_bn32_deep';
const winnerOf = ({ sizes }: SweepResult) => sizes[0]?.winner;
const roundsIn = ({ records }: SweepResult) =>
  records.filter((record): record is RoundRecord => record.type === 'round');
/** What was measured, without when and by whom. */
const measured = (result: SweepResult) =>
  roundsIn(result).map(({ rung, heat, round }) => `${rung} ${round} ${heat}`);

/** A signal that is given at the n-th timed launch. */
function stopAt(launch: number): { device: ReturnType<typeof modelDevice>; signal: AbortSignal } {
  const controller = new AbortController();
  const device = modelDevice('stopped', (_, total) => {
    if (total === launch) controller.abort();
  });
  return { device, signal: controller.signal };
}

let undisturbed: Promise<SweepResult> | undefined;
/** The same sweep without interruption, made once. */
function whole(): Promise<SweepResult> {
  undisturbed ??= sweepHere(modelDevice('a'));
  return undisturbed;
}

test('the fastest candidate wins, by rungs in which the reference runs in every round', async () => {
  const result = await whole();
  expect(winnerOf(result)).toBe(BEST);
  expect(result.space).toMatchObject({ points: 60, refused: 18, candidates: 42 });
  expect(result.space.reasons).toEqual([
    { reason: 'BM is even', count: 10 },
    { reason: 'A tile has at most 600 elements', count: 8 },
  ]);
  const field = (rung: unknown) =>
    new Set(
      roundsIn(result)
        .filter((round) => round.rung === rung)
        .flatMap(({ heat }) => heat),
    ).size;
  expect([0, 1, 2, 'final'].map(field)).toEqual([34, 12, 4, 3]);
  expect(
    roundsIn(result).every(
      ({ referenceUs, us, heat }) => referenceUs.length > 0 && us.length === heat.length,
    ),
  ).toBe(true);
  expect(result.sizes[0]?.refused).toMatchObject([
    { reason: expect.stringContaining('m'), ids: { length: 8 } },
  ]);
  expect(result.sizes[0]?.ranking[0]).toMatchObject({ id: BEST, rung: 'final', rounds: 5 });
});

test('nothing is timed before it was right, and finalists pass all cases before their final', async () => {
  const { records } = await whole();
  for (const [i, record] of records.entries()) {
    if (record.type !== 'round') continue;
    const before = records.slice(0, i);
    const passed = (id: string, level: string) =>
      before.some(
        (one) => one.type === 'checked' && one.id === id && one.level === level && one.status === 'passed',
      );
    for (const id of record.heat) {
      expect([passed(id, 'quick'), passed(id, 'size')], id).toEqual([true, true]);
      if (record.rung === 'final') expect(passed(id, 'full'), id).toBe(true);
    }
  }
});

test('the same seed draws the same heats, another one others; the winner is the same', async () => {
  const [first, same, other] = [
    await whole(),
    await sweepHere(modelDevice('b')),
    await sweepHere(modelDevice('a'), { protocol: { seed: 2 } }),
  ];
  const firstRung = (result: SweepResult) => measured(result).filter((text) => text.startsWith('0 '));
  expect(firstRung(same)).toEqual(firstRung(first));
  expect(firstRung(other)).not.toEqual(firstRung(first));
  expect([first, same, other].map(winnerOf)).toEqual([BEST, BEST, BEST]);
});

test.each([1, 400, 950])(
  'ended at launch %i and resumed, it measures what is missing and no more',
  async (launch) => {
    const stopped = stopAt(launch);
    const first = await sweepHere(stopped.device, { file, signal: stopped.signal });
    expect(first).toMatchObject({ interrupted: true });
    expect(winnerOf(first)).toBeUndefined();
    expect(existsSync(journalOf(file))).toBe(false);
    const second = await sweepHere(modelDevice('later'), { file, resume: true });
    expect(winnerOf(second)).toBe(BEST);
    expect(second.interrupted).toBeUndefined();
    expect(second.records.slice(0, first.records.length)).toEqual(first.records);
    expect(measured(second)).toHaveLength(measured(await whole()).length);
    expect(new Set(measured(second)).size).toBe(measured(second).length);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(second)));
  },
);

test('after a crash the journal has every round, a torn line is dropped and said, and another sweep is refused', async () => {
  const device = modelDevice('a', (_, total) => {
    if (total === 700) throw new Error('the power went');
  });
  await expect(sweepHere(device, { file })).rejects.toThrow('the power went');
  expect(existsSync(file)).toBe(false);
  const journal = readFileSync(journalOf(file), 'utf8');
  const rounds = journal.split('\n').filter((line) => line.includes('"type":"round"')).length;
  expect(rounds).toBeGreaterThan(10);
  await expect(sweepHere(modelDevice('a'), { file })).rejects.toThrow(
    /did not come to its end\. Go on with it by --resume/,
  );
  writeFileSync(journalOf(file), `${journal}{"type":"round","us":[[1`);
  const notes: string[] = [];
  const result = await sweepHere(modelDevice('b'), {
    file,
    resume: true,
    onNote: (text) => notes.push(text),
  });
  expect(notes).toEqual([expect.stringMatching(/torn and is dropped/)]);
  expect(winnerOf(result)).toBe(BEST);
  expect(measured(result)).toHaveLength(measured(await whole()).length);
});

test('a journal that is damaged in the middle is refused with the line', async () => {
  const stopped = modelDevice('a', (_, total) => {
    if (total === 300) throw new Error('the power went');
  });
  await expect(sweepHere(stopped, { file })).rejects.toThrow();
  const lines = readFileSync(journalOf(file), 'utf8').split('\n');
  lines[2] = lines[2]?.slice(0, 30) ?? '';
  writeFileSync(journalOf(file), lines.join('\n'));
  await expect(sweepHere(modelDevice('a'), { file, resume: true })).rejects.toThrow(
    /damaged: line 3 is no record/,
  );
});

test.each<[RegExp, Partial<SweepOptions>]>([
  [/differs in the space \(.*"BM":\[4,7,8,12,16\].*, not .*32/, { space: [{ BM: [4, 7, 8, 12, 16] }] }],
  [/differs in the protocol \(.*"seed":9/, { protocol: { seed: 9 } }],
  [/differs in the reference/, { reference: 'none' }],
  [/differs in the compiler \(fake 2, not fake 1\)/, { compiler: { ...fakeCompiler(), name: 'fake 2' } }],
])('what is %s is not resumed', async (message, options) => {
  const stopped = stopAt(100);
  await sweepHere(stopped.device, { file, signal: stopped.signal });
  const before = readFileSync(file, 'utf8');
  await expect(sweepHere(modelDevice('a'), { ...options, file, resume: true })).rejects.toThrow(message);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect([journalOf(file), lockOf(file)].map((path) => existsSync(path))).toEqual([false, false]);
});

test('two processes do not work on one file', async () => {
  {
    using _ = takeLock(lockOf(file));
    const second = sweepHere(modelDevice('b'), { file });
    await expect(second).rejects.toThrow(/says that process \d+ on .* works on this sweep\. Wait for it/);
  }
  expect(winnerOf(await sweepHere(modelDevice('b'), { file }))).toBe(BEST);
  expect(existsSync(lockOf(file))).toBe(false);
});

test('two shards, each swept alone, name the winner of the whole once they are merged, in any order', async () => {
  const [one, two] = [
    await sweepHere(modelDevice('one'), { shard: { index: 1, count: 2 } }),
    await sweepHere(modelDevice('two'), { shard: { index: 2, count: 2 } }),
  ];
  expect(one.variants.length + two.variants.length).toBe(42);
  expect(one.notes).toEqual(['Not swept: shard 2/2.']);
  const named = [one, two].map((result, i) => ({ from: `${i}.json`, result }));
  const merged = mergeSweeps(named);
  expect(mergeSweeps(named.toReversed())).toEqual(merged);
  expect(winnerOf(merged)).toBe(BEST);
  expect(merged.sizes[0]?.together).toBe(false);
  expect(merged.notes).toEqual([expect.stringMatching(/ran in different rounds.*--resume with this file/)]);

  writeFileSync(file, JSON.stringify(merged));
  const stopped = stopAt(30);
  const begun = await sweepHere(stopped.device, { file, resume: true, signal: stopped.signal });
  expect(begun.interrupted).toBe(true);
  const together = await sweepHere(modelDevice('three'), { file, resume: true });
  expect(winnerOf(together)).toBe(BEST);
  expect(together.sizes[0]?.together).toBe(true);
  const added = measured(together).length - measured(merged).length;
  expect(added).toBe(5);
});

test('a shard that was never swept is made up for by resuming the merged file', async () => {
  const parts = await Promise.all(
    [1, 2].map((index) => sweepHere(modelDevice(`${index}`), { shard: { index, count: 3 } })),
  );
  const merged = mergeSweeps(parts.map((result, i) => ({ from: `${i}`, result })));
  expect(merged.notes[0]).toBe('Not swept: shard 3/3.');
  writeFileSync(file, JSON.stringify(merged));
  const all = await sweepHere(modelDevice('rest'), { file, resume: true });
  expect(all.variants).toHaveLength(42);
  expect([winnerOf(all), all.sizes[0]?.together, all.notes]).toEqual([BEST, true, []]);
});

test('what does not compile, spills, does not fit or is wrong is in the result with its reason, and is never timed', async () => {
  const compiler = fakeCompiler((id) => {
    if (id === 'k50_bm4_bn4_deep') refusesToCompile(id);
    if (id === 'k50_bm4_bn8_deep') return { spillBytes: 24 };
    if (id === 'k50_bm4_bn16_deep') return { sharedBytes: 300_000 };
    return {};
  });
  const bad = { [BEST]: { error: 1 }, k50_bm4_bn32_deep: { failsToLoad: 'no such image' } } as const;
  const kernel = sweptDiscovery((id) => bad[id as keyof typeof bad] ?? {});
  const result = await sweepHere(modelDevice('a'), { compiler }, kernel);
  const outcomes = result.variants.filter(({ outcome }) => outcome !== 'built');
  expect(outcomes.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
    [BEST, 'wrong', expect.stringMatching(/C\[0\]\[0\]/)],
    ['k50_bm4_bn16_deep', 'too large', 'A block takes 300000 bytes of shared memory, of 232448.'],
    ['k50_bm4_bn32_deep', 'wrong', expect.stringMatching(/no such image/)],
    ['k50_bm4_bn4_deep', 'refused', 'fake 1 refused k50_bm4_bn4_deep: error'],
    ['k50_bm4_bn8_deep', 'spills', 'It spills 24 bytes a thread.'],
  ]);
  const timed = new Set(roundsIn(result).flatMap(({ heat }) => heat));
  expect(outcomes.filter(({ id }) => timed.has(id))).toEqual([]);
  expect(winnerOf(result)).toBe('k50_bm16_bn32_nodeep');
});

test('a candidate whose results break while it is timed does not win', async () => {
  const kernel = sweptDiscovery((id) => (id === BEST ? { breaksAfter: 10 } : {}));
  const result = await sweepHere(modelDevice('a'), {}, kernel);
  expect(winnerOf(result)).not.toBe(BEST);
  expect(result.variants.find(({ id }) => id === BEST)).toMatchObject({ outcome: 'wrong' });
});

test('without a library the default variant is the yardstick', async () => {
  const result = await sweepHere(modelDevice('a'), { reference: 'none' });
  expect(result.identity.reference?.id).toBe('k50_bm8_bn8_nodeep');
  expect(winnerOf(result)).toBe(BEST);
  const [best] = result.sizes[0]?.ranking ?? [];
  expect(best?.ratio?.median).toBeCloseTo(modelUs('k50_bm8_bn8_nodeep') / modelUs(BEST), 1);
});

test('a compiler that is missing, a batch and nonsense are refused before anything runs', async () => {
  const device = modelDevice('a');
  const refused = (options: Partial<SweepOptions>) => sweepHere(device, options);
  await expect(refused({ sizes: [{ m: 8, n: 8, k: 8, batch: 2 }] })).rejects.toThrow(/one product at a time/);
  await expect(refused({ by: 'overheadPerFfma' })).rejects.toThrow(/counts nothing/);
  await expect(refused({ resume: true })).rejects.toThrow(/there is none/);
  await expect(refused({ space: [{ BM: [7] }] })).rejects.toThrow(/refuse all 10 points .* BM is even/);
  await expect(refused({ space: [{ BQ: [7] }] })).rejects.toThrow(/has no parameter BQ; it has BM, BN, DEEP/);
  await expect(refused({ protocol: { eta: 1 } })).rejects.toThrow(/eta must be an integer of at least 2/);
  expect(device.log).toEqual([]);
});

test('a reference that is wrong, or computes in TF32, ends the sweep before anything is timed beside it', async () => {
  const kernel = sweptDiscovery();
  const beside = (options: FakeKernelOptions) => {
    const library = fakeKernel('lib', { role: 'reference', ...options });
    return sweepHere(modelDevice('a'), { discovery: discoveryOf(library, kernel) }, kernel);
  };
  await expect(beside({ error: 1 })).rejects.toThrow(/The reference lib_bm32 is not right at 8³/);
  await expect(beside({ mathMode: 'tf32' })).rejects.toThrow(/lib_bm32 computes in TF32/);
  await expect(beside({ refuses: 'It is Sunday.' })).rejects.toThrow(/does not take 8³: It is Sunday\./);
});

test('a library that is not there is replaced by the default variant, and said', async () => {
  const library = fakeKernel('lib', { role: 'reference', failsToLoad: 'It is not installed.' });
  const kernel = sweptDiscovery();
  const notes: string[] = [];
  const options = { discovery: discoveryOf(library, kernel), onNote: (text: string) => notes.push(text) };
  const result = await sweepHere(modelDevice('a'), options, kernel);
  expect(result.identity.reference?.id).toBe('k50_bm8_bn8_nodeep');
  expect(notes).toEqual([
    expect.stringMatching(/lib_bm32 cannot be used \(It is not installed\..*default variant/),
  ]);
});

test('a time that no GPU of its kind can have is no win', async () => {
  const device = modelDevice(
    'a',
    () => {},
    (id) => (id === 'k50_bm4_bn4_deep' ? 1e-6 : 1),
  );
  const result = await sweepHere(device);
  expect(winnerOf(result)).toBe(BEST);
  expect(result.sizes[0]?.ranking.map(({ id }) => id)).not.toContain('k50_bm4_bn4_deep');
});

test('a candidate that does not end is written down as wrong, and resuming goes on without it', async () => {
  const { createStream } = FakeTimingDevice.prototype;
  const device = modelDevice('a');
  let launches = 0;
  const kernel = sweptDiscovery();
  device.launched = () => void launches++;
  device.createStream = () => ({
    ...createStream.call(device),
    synchronize: async () => (launches > 3 ? new Promise(() => {}) : undefined),
  });
  const hung = sweepHere(device, { file, caseTimeoutMs: 50 }, kernel);
  await expect(hung).rejects.toThrow(/A case of (k50_\w+) did not end in its time.*--resume/);
  const result = await sweepHere(modelDevice('b'), { file, resume: true });
  expect(result.variants.filter(({ outcome }) => outcome === 'wrong')).toHaveLength(1);
  expect(result.variants.find(({ outcome }) => outcome === 'wrong')?.reason).toMatch(
    /not done after 0\.05 s/,
  );
  expect(winnerOf(result)).toBe(BEST);
});

test('two that are equally fast are said to be', async () => {
  const twins = modelDevice(
    'a',
    () => {},
    (id) => (id === 'k50_bm16_bn32_nodeep' ? 100 / 102 : 1),
  );
  const result = await sweepHere(twins);
  const both = ['k50_bm16_bn32_deep', 'k50_bm16_bn32_nodeep'];
  expect(both).toContain(winnerOf(result));
  expect(result.notes).toEqual([
    expect.stringMatching(/At 8³ the rounds do not tell k50_bm16_bn32_(no)?deep from k50/),
  ]);
  expect((await whole()).notes).toEqual([]);
});
