import { mkdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { ffma, short, usual } from '../test-support/timed-command.js';

afterEach(() => vi.unstubAllGlobals());

test('bench on a GPU times beside the reference, and writes what it shows', async () => {
  const { code, stdout, stderr, result, gpu } = await ffma(['bench', ...short, '--json', 'FILE']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^k01 +50\.0 +\S+ +120\.0 +120\.0–120\.0 +2 of 2 +emulated$/m);
  expect(result.rows.map(({ kernel }) => kernel)).toEqual(['lib', 'k01']);
  expect(result.protocol.parameters).toMatchObject({ rounds: 2, launches: 2, l2: 'cold' });
  expect(gpu.closed).toBe(true);
});

test('--warm and --reference are passed on', async () => {
  const { result } = await ffma(['bench', 'lib', ...short, '--warm', '--reference', 'k01', '--json', 'FILE']);
  expect(result.protocol.parameters).toMatchObject({ l2: 'warm', flushBytes: 0 });
  expect(result.sessions?.[0]?.reference?.id).toBe('k01_bm32');
});

test('a wrong kernel and an impossible figure exit with 1', async () => {
  expect((await ffma(['bench', ...short], { kernels: { ...usual, k01: { error: 1 } } })).code).toBe(1);
  expect((await ffma(['bench', ...short], { device: { maxSmClockMHz: 1e-4 } })).code).toBe(1);
});

test('a library that nobody asked for may be missing; one that was asked for may not', async () => {
  const kernels = { ...usual, lib: { role: 'reference', failsToLoad: 'no library' } } as const;
  for (const names of [['k01'], []]) {
    const unasked = await ffma(['bench', ...names, ...short], { kernels });
    expect(unasked.code).toBe(0);
    expect(unasked.stdout.replaceAll(/\n +/g, ' ')).toContain('could not be used: 8×8×8 canary: no library');
  }
  expect((await ffma(['bench', 'lib', ...short], { kernels })).code).toBe(1);
  expect((await ffma(['bench', 'k01', ...short, '--reference', 'lib'], { kernels })).code).toBe(1);
});

test('a reference that is wrong exits with 1, asked for or not', async () => {
  const kernels = { ...usual, lib: { role: 'reference', error: 1 } } as const;
  expect((await ffma(['bench', 'k01', ...short], { kernels })).code).toBe(1);
});

test('Ctrl-C finishes the round, writes what is complete, and exits with 130', async () => {
  let launches = 0;
  const heard: boolean[] = [];
  const { code, stdout, stderr, result } = await ffma(
    ['bench', ...short, '--sizes', '8,16', '--json', 'FILE'],
    {
      onTimed: (kernel, interrupt) => {
        if (kernel === 'lib' && ++launches === 1) heard.push(interrupt());
      },
    },
  );
  expect(heard).toEqual([true]);
  expect(code).toBe(130);
  expect(stderr).toMatch(/Interrupted: finishing what is being measured\. Ctrl-C again ends at once\./);
  expect(result.interrupted).toBe(true);
  expect(result.sessions).toMatchObject([{ interrupted: true, rounds: [{ round: 1, used: true }] }]);
  expect(result.rows.map(({ times }) => times?.rounds.length)).toEqual([1, 1]);
  expect(stdout).toMatch(/Interrupted: not all that was asked for was measured\./);
});

test('afterwards nobody listens to Ctrl-C any more', async () => {
  const { io } = await ffma(['bench', ...short]);
  expect(io.interrupt()).toBe(false);
});

test('what was measured at earlier sizes is on disk when a later one fails', async () => {
  let launches = 0;
  const { code, stderr, result } = await ffma(
    ['bench', 'k01', ...short, '--sizes', '8,16', '--json', 'FILE'],
    {
      onTimed: (kernel) => {
        if (kernel === 'lib' && ++launches === 5) throw new Error('the GPU fell off the bus');
      },
    },
  );
  expect({ code, stderr: stderr.includes('fell off the bus') }).toEqual({ code: 1, stderr: true });
  expect(result).toMatchObject({ interrupted: true, rows: [{ kernel: 'lib' }, { kernel: 'k01' }] });
});

test('--resume goes on from the file, needs one, and begins where there is none yet', async () => {
  const none = await ffma(['bench', ...short, '--resume']);
  expect({ code: none.code, stderr: none.stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--resume goes on from the file of --json/),
  });
  const first = await ffma(['bench', ...short, '--resume', '--json', 'FILE']);
  expect(first.code).toBe(0);
  const broken = await ffma(['bench', ...short, '--resume', '--json', 'FILE'], { before: '{}' });
  expect(broken.code).toBe(2);
  expect(broken.stderr).toMatch(/is no result of ffma/);
  const again = await ffma(['bench', ...short, '--resume', '--json', 'FILE'], {
    before: JSON.stringify(first.result),
  });
  expect(again.code).toBe(0);
  expect(again.result.sessions).toEqual(first.result.sessions);
  expect(again.gpu.log).toEqual([]);
});

test('options about times are refused where there is no clock, and nonsense is refused anywhere', async () => {
  const counting = await ffma(['bench', '-d', 'emulator', '--rounds', '3']);
  expect(counting.code).toBe(2);
  expect(counting.stderr).toMatch(/--rounds is about times, and emulated .* has no clock of a GPU/);
  expect((await ffma(['bench', '--rounds', '0'])).code).toBe(2);
  expect((await ffma(['bench', '--reference', 'all'])).code).toBe(2);
});

test('a file that cannot be written is wrong usage, said before anything is measured', async () => {
  for (const path of ['/no/such/folder/r.json', `${import.meta.filename}/r.json`, import.meta.dirname]) {
    const { code, stdout, stderr, gpu } = await ffma(['bench', ...short, '--json', path]);
    expect({ code, stdout, log: gpu.log }, path).toEqual({ code: 2, stdout: '', log: [] });
    expect(stderr).toMatch(/cannot be written/);
  }
});

test('where writing fails later the table is shown all the same', async () => {
  let file = '';
  const { code, stdout, stderr } = await ffma(['bench', ...short, '--json', 'FILE'], {
    onFile: (path) => {
      file = path;
    },
    onTimed: () => mkdirSync(file, { recursive: true }),
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^k01 +50\.0/m);
  expect(stderr).toMatch(/result\.json cannot be written/);
});

test('a size that cannot be held is wrong usage, said in one line', async () => {
  for (const argv of [
    ['bench', '-s', '2147483647x1x1'],
    ['tour', '--size', '1000000000'],
  ]) {
    const { code, stdout, stderr } = await ffma(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: The operands of .* Choose a smaller size\. \(FFMA_ARGUMENT\)\n$/);
  }
});

test('verify and bench leave out a library that does not run there, and say so', async () => {
  const kernels = { ...usual, lib: { role: 'reference', failsToLoad: 'It needs a GPU.' } } as const;
  const verify = await ffma(['verify', '-l', 'quick'], { kernels });
  expect(verify.code).toBe(0);
  expect(verify.stdout).toMatch(/^left out {2}lib\. It needs a GPU\.$/m);
  const named = await ffma(['verify', 'lib', '-l', 'quick'], { kernels });
  expect(named.code).toBe(1);
});
