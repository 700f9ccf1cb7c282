import { spawn } from 'node:child_process';
import { join } from 'node:path';
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

it('ends with 130 when interrupted, and ends what it runs', async () => {
  const module = join(import.meta.dirname, 'run.mjs');
  const endless =
    'process.on("SIGINT", () => process.exit(0)); console.log(process.pid); setInterval(() => {}, 1000)';
  const script = `const { run } = await import(${JSON.stringify(module)});
    await run(process.execPath, ['-e', ${JSON.stringify(endless)}], { output: 'inherit' });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const pid = await new Promise<number>((resolve) => {
    child.stdout.once('data', (data) => resolve(Number(String(data))));
  });
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
  expect(() => process.kill(pid, 0)).toThrow();
});
