import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { run } from './run.mjs';

it('keeps both outputs and the exit code', async () => {
  const script = 'console.log("out"); console.error("err"); process.exitCode = 3';
  const { code, output } = await run(process.execPath, ['-e', script]);
  expect(code).toBe(3);
  expect(output.split('\n').sort()).toEqual(['', 'err', 'out']);
});

it('reports a program that does not exist', async () => {
  const { code, output } = await run('ffma-no-such-program', []);
  expect(code).toBe(127);
  expect(output).toContain('ffma-no-such-program');
});

const module = join(import.meta.dirname, 'run.mjs');

/** Runs a program by `run`, in a process of its own. */
function runApart(program: string, args: readonly string[]) {
  const script = `const { run } = await import(${JSON.stringify(module)});
    await run(${JSON.stringify(program)}, ${JSON.stringify(args)}, { output: 'inherit' });`;
  return spawn(process.execPath, ['--input-type=module', '-e', script]);
}

const firstNumber = (child: ReturnType<typeof runApart>) =>
  new Promise<number>((resolve) => {
    child.stdout.once('data', (data) => resolve(Number(String(data))));
  });

/** Until a process that is no child of this one has ended; fails by the test's time limit. */
async function ended(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      // A container without an init keeps what has ended and was not waited for.
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return;
    } catch {
      return;
    }
    await setTimeout(20);
  }
}

it('ends with 130 when interrupted, and ends what it runs', async () => {
  const endless =
    'process.on("SIGINT", () => process.exit(0)); console.log(process.pid); setInterval(() => {}, 1000)';
  const child = runApart(process.execPath, ['-e', endless]);
  const pid = await firstNumber(child);
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
  await ended(pid);
});

it('ends what its program started, too, on SIGTERM', async () => {
  const child = runApart('sh', ['-c', 'sleep 1000 & echo $!; wait']);
  const pid = await firstNumber(child);
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(143);
  await ended(pid);
});

it('ends quietly where nobody reads its output any more', async () => {
  const script = `await import(${JSON.stringify(module)});
    setInterval(() => process.stdout.write('line\\n'), 1);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  expect(errors).toBe('');
});
