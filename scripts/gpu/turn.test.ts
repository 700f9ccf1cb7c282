import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { siblings, waitForTurn } from './turn.mjs';

/** Starts two processes, prints their ids, ends the first when told to, and ends when its input does. */
const PARENT = `
  const { spawn } = require('node:child_process');
  const start = () => spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
  const [first, second] = [start(), start()];
  process.stdin.once('data', () => first.stdin.end());
  process.stdin.once('end', () => second.stdin.end());
  console.log(JSON.stringify([first.pid, second.pid]));`;

it('waits for processes of the same parent, and not for itself or for strangers', async () => {
  const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [printed] = await once(parent.stdout, 'data');
  const [first, second] = JSON.parse(String(printed)) as [number, number];
  const pid = parent.pid as number;
  expect(siblings(second, pid)).toEqual([first]);
  expect(siblings(first, pid)).toEqual([second]);
  expect(siblings(second, first)).toEqual([]);

  expect(await waitForTurn({ self: second, parent: pid, limitMs: 50 })).toBe(false);
  const turn = waitForTurn({ self: second, parent: pid, limitMs: 10_000 });
  parent.stdin.write('end the first\n');
  expect(await turn).toBe(true);
  expect(siblings(second, pid)).toEqual([]);
  parent.stdin.end();
  await once(parent, 'exit');
});
