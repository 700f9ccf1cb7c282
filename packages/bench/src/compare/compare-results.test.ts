import { expect, test } from 'vitest';
import type { BenchResult, ResultRow } from '../result/schema.js';
import { stringifyResult } from '../result/store.js';
import { halvesOf, recorded } from '../test-support/recorded-halves.js';
import { UsageError } from '../usage-error.js';
import { compareResults } from './compare-results.js';
import type { CompareOptions } from './options.js';
import { comparisonSchema } from './schema.js';

const result = recorded('h200-2026-11-30.json');

const experiment = recorded('h200-confirm.json').experiment as NonNullable<BenchResult['experiment']>;

/** The result with some of its rows changed; undefined drops a row. */
function with_(change: (row: ResultRow) => ResultRow | undefined, base: BenchResult = result): BenchResult {
  return { ...base, rows: base.rows.flatMap((row) => change(row) ?? []) };
}

const is = (row: ResultRow, kernel: string, n?: number) =>
  row.kernel === kernel && (n === undefined || row.problem.n === n);

const untimed = ({ times: _, ...row }: ResultRow): ResultRow => row;

const failed = (row: ResultRow): ResultRow => ({
  ...untimed(row),
  correctness: {
    ...row.correctness,
    status: 'failed',
    failures: ['exact at 64³: element (3, 4) is 17, but must be 18.'],
  },
});

function compared(fresh: BenchResult, options: CompareOptions = {}, base = result) {
  const found = compareResults(base, fresh, options);
  const of = (kernel: string, n: number) =>
    found.rows.find((row) => row.kernel === kernel && row.problem.n === n);
  return { ...found, of };
}

/** A result whose reference takes more or less time, and nothing else. */
function movedReference(base: BenchResult, factor: number): BenchResult {
  const slower = <Round extends { medianUs: number }>(round: Round): Round => ({
    ...round,
    medianUs: round.medianUs * factor,
  });
  return with_(({ times, ...row }) => {
    if (times === undefined) return row;
    if (row.role === 'reference') return { ...row, times: { ...times, rounds: times.rounds.map(slower) } };
    const { ratio } = times;
    const perRound = ratio?.perRound.map((value) => value * factor) ?? [];
    return { ...row, times: { ...times, ...(ratio === undefined ? {} : { ratio: { ...ratio, perRound } }) } };
  }, base);
}

test('a result compared with itself is the same in every row, by ratio where there is one', () => {
  const { rows, failures, of } = compared(result, { failOn: 0.01, failOnUnclear: true, failOnMissing: true });
  expect(rows).toHaveLength(result.rows.length);
  expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(['same']));
  expect(failures).toEqual([]);
  expect(of('k01', 512)).toMatchObject({
    by: 'ratio',
    reference: { id: 'cublas', package: '@ffma/cublas-ref' },
    change: 0,
    sameBytes: true,
    settings: { l2: 'cold', launched: 'singly' },
  });
  expect(of('cublas', 512)).toMatchObject({ by: 'time', role: 'reference' });
});

test('a comparison is a result file of its own kind', () => {
  const { of: _, ...found } = compared(result, { createdAt: new Date(0) });
  expect(JSON.parse(stringifyResult(found))).toEqual(comparisonSchema.parse(found));
  expect(found.createdAt).toBe('1970-01-01T00:00:00.000Z');
});

test('what is wrong now fails, whatever the times, and without being asked', () => {
  const { of, failures } = compared(with_((row) => (is(row, 'k02', 1024) ? failed(row) : row)));
  expect(of('k02', 1024)).toMatchObject({ verdict: 'failed', new: { perRound: [] } });
  expect(failures).toEqual([
    'k02_bm32_bn32 at 1024³ failed: exact at 64³: element (3, 4) is 17, but must be 18.',
  ]);
});

test('what was wrong in both is wrong, and so is a wrong reference', () => {
  const wrong = with_((row) => (is(row, 'k02') || is(row, 'cublas', 512) ? failed(row) : row));
  expect(compared(wrong, {}, wrong).failures).toHaveLength(4);
});

test('what had times and has none fails, with the reason', () => {
  const refused = with_((row) => {
    if (is(row, 'k01', 512)) return { ...untimed(row), unranked: 'It is over the peak.' };
    if (!is(row, 'k02', 512)) return row;
    const correctness = { ...row.correctness, status: 'refused' as const, failures: ['n must be even.'] };
    return { ...untimed(row), correctness };
  });
  const { of, failures } = compared(refused);
  expect(of('k01', 512)).toMatchObject({ verdict: 'failed', reason: 'It is over the peak.' });
  expect(of('k02', 512)).toMatchObject({ verdict: 'failed', reason: 'It is refused now: n must be even.' });
  expect(failures).toHaveLength(2);
  const { of: back } = compared(result, {}, refused);
  expect(back('k02', 512)).toMatchObject({ verdict: 'incomparable' });
});

test('rows of one side are listed, and fail where that is asked for', () => {
  const fewer = with_((row) => (is(row, 'k03', 512) ? undefined : row));
  const { onlyInBase, onlyInNew, failures } = compared(fewer);
  expect(onlyInBase).toMatchObject([{ id: 'k03_bm32_bn32_bk32', problem: { n: 512 }, from: 'base' }]);
  expect([onlyInNew, failures]).toEqual([[], []]);
  expect(compared(fewer, { failOnMissing: true }).failures).toEqual([
    'k03_bm32_bn32_bk32 at 512³ is not in the new file.',
  ]);
  expect(compared(result, { failOnMissing: true }, fewer)).toMatchObject({
    onlyInNew: [{ from: 'new' }],
    failures: [],
  });
});

test('rows are matched by id, package and whole problem', () => {
  const others: ((row: ResultRow) => ResultRow)[] = [
    (row) => ({ ...row, id: `${row.id}_v` }),
    (row) => ({ ...row, package: { ...row.package, name: '@other/kernels' } }),
    (row) => ({ ...row, problem: { ...row.problem, beta: 1 } }),
    (row) => ({ ...row, problem: { ...row.problem, batch: 8 } }),
    (row) => ({ ...row, problem: { ...row.problem, lda: row.problem.lda + 4 } }),
  ];
  for (const other of others) {
    const { onlyInBase, onlyInNew } = compared(with_((row) => (is(row, 'k01', 512) ? other(row) : row)));
    expect([onlyInBase.length, onlyInNew.length]).toEqual([1, 1]);
  }
  // A batch of one is no batch.
  const one = with_((row) => ({ ...row, problem: { ...row.problem, batch: 1 } }));
  expect(compared(one).onlyInNew).toEqual([]);
});

test('a slower kernel fails only over what is allowed, and the reference never for its time', () => {
  const { base, new: fresh } = halvesOf(result, 1, (row) => (is(row, 'k01') ? 1.05 : 1));
  const failures = (failOn?: number) => compareResults(base, fresh, { failOn }).failures;
  expect(failures()).toEqual([]);
  expect(failures(0.2)).toEqual([]);
  expect(failures(0.03)).toHaveLength(3);
  expect(failures(0.03)[0]).toMatch(
    /^k01_bm32_bn32 at 512³ is [45]\.\d % slower; up to 3\.0 % is allowed\.$/,
  );
  const moved = halvesOf(result, 1, () => 1.2);
  const { rows } = compareResults(moved.base, moved.new, { failOn: 0.03, by: 'time' });
  expect(rows.find(({ role }) => role === 'reference')?.verdict).toBe('slower');
});

test('figures under another L2 cache, launch or math mode are not set side by side, and the reason is said', () => {
  const warm = {
    ...result,
    protocol: { ...result.protocol, parameters: { ...result.protocol.parameters, l2: 'warm' } },
  };
  const { rows, failures } = compared(warm, { failOnUnclear: true });
  expect(rows[1]).toMatchObject({
    verdict: 'incomparable',
    reason: 'It was measured with l2 cold, and now with l2 warm.',
  });
  expect(failures[0]).toMatch(/ cannot be compared: It was measured with l2 cold/);
  const graph = with_((row) => (row.times ? { ...row, times: { ...row.times, launched: 'graph' } } : row));
  expect(compared(graph).rows[1]?.reason).toMatch(/launched singly, and now with launched graph/);
  const tf32 = with_((row) =>
    row.artefact ? { ...row, artefact: { ...row.artefact, mathMode: 'tf32' } } : row,
  );
  expect(compared(tf32).rows[1]).toMatchObject({ verdict: 'incomparable', reason: /fp32, and now in tf32/ });
  const pedantic = with_((row) =>
    row.artefact ? { ...row, artefact: { ...row.artefact, mathMode: 'fp32-pedantic' } } : row,
  );
  expect(compared(pedantic).rows[1]?.verdict).toBe('same');
});

test('without the same reference times are compared, unless the GPUs differ', () => {
  const other = with_((row) =>
    is(row, 'cublas') && row.artefact
      ? { ...row, artefact: { ...row.artefact, sha256: 'b'.repeat(64), compiler: 'cuBLAS 14.0.0' } }
      : row,
  );
  expect(compared(other).rows[1]).toMatchObject({ by: 'time', verdict: 'same' });
  expect(compared(other, { by: 'ratio' }).rows[1]).toMatchObject({
    verdict: 'incomparable',
    reason:
      'There is no ratio to compare: the reference cublas is not the same (cuBLAS 13.1.0 and cuBLAS 14.0.0).',
  });
  const h100 = { ...other, device: { ...result.device, name: 'NVIDIA H100' } };
  expect(compared(h100).rows[1]).toMatchObject({
    verdict: 'incomparable',
    reason: /^Times of NVIDIA H200 and NVIDIA H100 are not set side by side, and the reference cublas/,
  });
  const ratios = compared({ ...result, device: h100.device });
  expect(ratios.rows[1]).toMatchObject({ by: 'ratio', verdict: 'same' });
  expect(ratios.pairs[0]?.warnings[0]).toMatch(/^The GPUs are not the same: NVIDIA H200 and NVIDIA H100/);
});

test('where the reference alone moved, at the same clocks, a ratio is not believed', () => {
  const { base, new: fresh } = halvesOf(result, 1);
  const unsteady = movedReference(fresh, 1.1);
  const { rows, failures } = compareResults(unsteady, fresh, { failOn: 0.03 });
  const k01 = rows.filter(({ kernel }) => kernel === 'k01');
  expect(k01).toHaveLength(3);
  for (const row of k01) {
    expect(row).toMatchObject({ verdict: 'unclear', referenceMoved: true });
    expect(row.reason).toMatch(
      /^Relative to cublas it is slower \(\+10\.0 %\), but by time, at the same clocks, same \(±0\.0 %\): cublas itself moved\./,
    );
  }
  expect(failures).toEqual([]);
  expect(compareResults(unsteady, fresh, { failOnUnclear: true }).failures[0]).toMatch(
    /is unclear\. Relative to/,
  );
  // Something slower that the reference hides is not the same either.
  const hidden = movedReference(halvesOf(result, 1, () => 1.1).new, 1.1);
  expect(compareResults(base, hidden).rows.find(({ kernel }) => kernel === 'k01')).toMatchObject({
    verdict: 'unclear',
    reason: expect.stringMatching(/it is same .* but by time, .*, slower \(\+\d+\.\d %\)/),
  });
});

test('where clocks differ, or were not read, the ratio decides', () => {
  const { new: fresh } = halvesOf(result, 1);
  const { sessions: _, ...unread } = movedReference(fresh, 1.1);
  expect(compareResults(unread, fresh).rows.find(({ kernel }) => kernel === 'k01')?.verdict).toBe('slower');
});

test('what makes figures less comparable is a warning', () => {
  const details = { ...result.device.details, driver: '590.1', uuid: 'GPU-0' };
  const fresh: BenchResult = {
    ...result,
    interrupted: true,
    device: { ...result.device, details },
    protocol: {
      ...result.protocol,
      version: 9,
      parameters: { ...result.protocol.parameters, launches: 10 },
    },
    sessions: result.sessions?.map((session) => ({
      ...session,
      rounds: session.rounds.map((round) => ({
        ...round,
        throttledBy: round.round === 1 ? ['SwPowerCap'] : [],
        ...(round.clocks === undefined
          ? {}
          : { clocks: { ...round.clocks, smMHz: round.clocks.smMHz.map(() => 1755) } }),
      })),
    })),
  };
  const byRatio = compared(fresh).pairs[0]?.warnings;
  expect(byRatio).toEqual([
    'new was interrupted: not all was measured.',
    'new: the GPU was throttled in 3 rounds that count.',
    'The drivers are not the same: 580.159.04 and 590.1.',
    'Times were taken by version 1 of alternating-rounds, and now by version 9.',
    'A round was 40 launches, and now is 10.',
  ]);
  const byTime = compared(fresh, { by: 'time' }).pairs[0]?.warnings ?? [];
  expect(byTime).toContainEqual(expect.stringMatching(/^Times are of two GPUs of one model/));
  expect(byTime).toContainEqual(expect.stringMatching(/^The SM clock was 1980 MHz, and now 1755 MHz/));
  expect(compared(result, { by: 'time' }).pairs[0]?.warnings).toEqual([]);
  const named = (name: string): BenchResult => ({
    ...result,
    experiment: { ...experiment, name },
  });
  expect(compareResults(named('x'), named('x')).pairs[0]?.warnings).toEqual([]);
  expect(compareResults(named('x'), named('y')).pairs[0]?.warnings).toEqual([
    'They are of two experiments: x and y.',
  ]);
});

test.each([0, 1, 4])('of %d rounds nothing is said', (count) => {
  const few = with_((row) =>
    row.times === undefined || !is(row, 'k01')
      ? row
      : {
          ...row,
          times: {
            ...row.times,
            rounds: row.times.rounds.slice(0, count),
            ...(row.times.ratio === undefined
              ? {}
              : { ratio: { ...row.times.ratio, perRound: row.times.ratio.perRound.slice(0, count) } }),
          },
        },
  );
  const { of, ...found } = compared(few);
  const { verdict, reason, interval } = of('k01', 512) ?? {};
  expect(interval).toBeUndefined();
  expect([verdict, reason]).toEqual(
    count === 0
      ? ['incomparable', 'A side has no rounds that count.']
      : ['unclear', 'It takes 5 rounds on each side to say.'],
  );
  expect(() => stringifyResult(found)).not.toThrow();
});

test('results without times or without a common row are wrong usage', () => {
  const none = with_(untimed);
  expect(() => compareResults(result, none)).toThrow(UsageError);
  expect(() => compareResults(result, none)).toThrow(/^new has no times, so there is nothing to compare\./);
  const others = with_((row) => ({ ...row, id: `other_${row.id}` }));
  expect(() => compareResults(result, others)).toThrow(/have no row in common/);
});

test.each([
  [{ threshold: 0 }, 'threshold must be over 0 and under 1, but is 0'],
  [{ threshold: 3 }, 'threshold must be'],
  [{ threshold: Number.NaN }, 'threshold must be'],
  [{ confidence: 1 }, 'confidence must be over 0.5 and under 1, but is 1'],
  [{ failOn: -0.1 }, 'failOn must be'],
])('%j is out of range', (options, reason) => {
  expect(() => compareResults(result, result, options)).toThrow(reason);
});
