import { afterEach, expect, test, vi } from 'vitest';
import { ffma, short, usual } from '../test-support/timed-command.js';

afterEach(() => vi.unstubAllGlobals());

const configured = (bench: string, more = '') => ({
  files: { 'ffma.config.ts': `export default { bench: { device: 'cuda', ${bench} }, ${more} };` },
});

test('a configuration says what is measured and how; flags override it field by field', async () => {
  const own = configured("sizes: [8], rounds: 2, launches: 2, l2: 'warm', alpha: 2, kernels: ['k01']");
  const { code, result } = await ffma(['bench', '--json', 'FILE'], own);
  expect(code).toBe(0);
  expect(result.protocol.parameters).toMatchObject({ rounds: 2, launches: 2, l2: 'warm', alpha: 2, beta: 0 });
  const over = await ffma(
    ['bench', '--cold', '--launches', '3', '--beta', '0.5', '-s', 'b2x4', '--json', 'FILE'],
    own,
  );
  expect(over.result.protocol.parameters).toMatchObject({
    rounds: 2,
    launches: 3,
    l2: 'cold',
    alpha: 2,
    beta: 0.5,
  });
  expect(over.result.rows[0]?.problem).toMatchObject({ m: 4, batch: 2 });
});

test('--no-config reads none, --config another one', async () => {
  const own = configured('rounds: "many"');
  expect((await ffma(['bench', ...short, '--no-config'], own)).code).toBe(0);
  const broken = await ffma(['bench', ...short], own);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toMatch(/^error: ffma\.config\.ts: bench\.rounds is "many"\./);
  const files = { 'other.mjs': 'export default { bench: { launches: 7 } };' };
  const other = await ffma(['bench', '-s', '8', '--rounds', '2', '--config', 'other.mjs', '--json', 'FILE'], {
    files,
  });
  expect(other.result.protocol.parameters).toMatchObject({ launches: 7 });
  expect((await ffma(['bench', '--config', 'gone.ts'])).code).toBe(2);
});

test('suites are those of the configuration, and those built in', async () => {
  const own = configured('rounds: 1, launches: 1', 'suites: { mine: [4, "b2x4"] }');
  const { result } = await ffma(['bench', '--suite', 'mine', '--json', 'FILE'], own);
  expect(result.sessions?.map(({ problem }) => problem)).toEqual([
    { m: 4, n: 4, k: 4 },
    { m: 4, n: 4, k: 4, batch: 2 },
  ]);
  const unknown = await ffma(['bench', '--suite', 'min'], own);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(/There is no suite 'min'\. Did you mean mine\?/);
});

test('--until-ci ends sessions by themselves, and goes with no fixed number of rounds', async () => {
  const until = ['bench', '-s', '8', '--launches', '2', '--until-ci', '1%'];
  const { result, stdout } = await ffma([...until, '--max-rounds', '9', '--json', 'FILE']);
  expect(result.sessions?.[0]).toMatchObject({ endedBy: 'interval' });
  expect(result.protocol.parameters).toMatchObject({ untilWidth: 0.01, rounds: 9 });
  expect(stdout).toMatch(/After 5 rounds every interval is narrower than 1 %\./);
  const both = await ffma([...until, '--rounds', '3']);
  expect({ code: both.code, stderr: both.stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/'--until-ci <width>' cannot be used with option '--rounds <count>'/),
  });
  const without = await ffma(['bench', '-s', '8', '--max-rounds', '3']);
  expect(without.stderr).toMatch(/--max-rounds is about --until-ci, which is not asked for\./);
  expect((await ffma(['bench', '--until-ci', '200%'])).code).toBe(2);
  expect((await ffma(['bench', '--time-limit', 'soon'])).stderr).toMatch(/span of time such as 90s/);
});

test('--graph asks for graphs, which a device without them refuses before anything runs', async () => {
  const { code, stderr, gpu } = await ffma(['bench', ...short, '--graph']);
  expect({ code, log: gpu.log }).toEqual({ code: 2, log: [] });
  expect(stderr).toMatch(/asked for as CUDA graphs, but fake GPU has no graphs\. Leave --graph out\./);
  const graphs = await ffma(['bench', ...short, '--graph', '--json', 'FILE'], { device: { graphs: true } });
  expect(graphs.result.rows.map(({ times }) => times?.launched)).toEqual(['graph', 'graph']);
  const own = configured('graph: true');
  expect((await ffma(['bench', ...short, '--no-graph'], own)).code).toBe(0);
});

test('the UUID of a GPU is a digest unless it is asked for', async () => {
  const { result } = await ffma(['bench', ...short, '--json', 'FILE']);
  expect(JSON.stringify(result)).not.toContain('GPU-0123');
  expect(result.device.details.gpu).toMatch(/^[0-9a-f]{16}$/);
  const named = await ffma(['bench', ...short, '--uuid', '--json', 'FILE']);
  expect(named.result.device.details.uuid).toBe('GPU-0123');
  const resumed = await ffma(['bench', ...short, '--resume', '--json', 'FILE'], {
    before: JSON.stringify(named.result),
  });
  expect(resumed).toMatchObject({ code: 0, gpu: { log: [] } });
});

test('--dry-run says what would run, and runs nothing', async () => {
  const kernels = { ...usual, k02: { refuses: 'n must be a multiple of 32, but is 8.' } };
  const run = ['bench', ...short, '-s', '8,b2x16', '--dry-run', '--json'];
  const { code, stdout, gpu, result } = await ffma([...run, 'FILE'], { kernels });
  expect({ code, log: gpu.log, result }).toEqual({ code: 0, log: [], result: undefined });
  expect(gpu.allocated).toBe(0);
  expect(stdout).toMatch(/^Nothing is run\. On fake GPU \(sm_90\)\.$/m);
  expect(stdout).toMatch(/^Would time 2 rounds of 2 launches; L2 cold; singly\.$/m);
  expect(stdout).toMatch(/^8³ +2 +8 +256 MiB +\d/m);
  expect(stdout).toMatch(/^b2×16³ +2 +8 +256 MiB +\d/m);
  expect(stdout).toMatch(/^refused {2}k02_bm32: n must be a multiple of 32 \(8³, b2×16³\)$/m);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  const plan = JSON.parse((await ffma([...run, '-'], { kernels })).stdout);
  expect(plan).toMatchObject({ kind: 'bench-plan', measures: 'times', device: { name: 'fake GPU' } });
  expect(plan.sizes[1]).toMatchObject({ size: { m: 16, batch: 2 }, launches: 8 });
  expect(
    plan.sizes[0].kernels.map(({ role, refusal }: { role?: string; refusal?: string }) => role ?? refusal),
  ).toEqual(['reference', undefined, 'n must be a multiple of 32, but is 8.']);
  expect(plan.estimatedMs).toBeGreaterThan(0);
});

test('--dry-run with --resume says which sizes the file has already', async () => {
  const { result } = await ffma(['bench', ...short, '--json', 'FILE']);
  const { stdout, gpu } = await ffma(
    ['bench', ...short, '-s', '8,16', '--dry-run', '--resume', '--json', 'FILE'],
    {
      before: JSON.stringify(result),
    },
  );
  expect(gpu.log).toEqual([]);
  expect(stdout).toMatch(/^8³ +2 +0 +256 MiB +kept$/m);
  expect(stdout).toMatch(/^16³ +2 +8 +256 MiB +\d/m);
});

test('--dry-run refuses what a run would refuse', async () => {
  for (const argv of [['-s', '2147483647x1x1'], ['--suite', 'gone'], ['--reference', 'all'], ['k09']])
    expect((await ffma(['bench', '--dry-run', ...argv])).code, argv.join(' ')).toBe(2);
});

test('progress on a terminal tells the time left, from what was measured', async () => {
  const { stderr } = await ffma(['bench', ...short], { isTTY: true });
  expect(stderr).toMatch(/\d+\/\d+ +8³ /);
  expect((await ffma(['bench', ...short])).stderr).toBe('');
});
