import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { discoverKernels, ofKind, parseAnyResult } from '../src/index.js';
import { ffma, ffmaUntil, workspace } from './ffma.js';

const folder = mkdtempSync(join(tmpdir(), 'ffma-sweep-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'result.json');

/** The command that sweeps a kernel which declares a space, narrowed to its default variant: one compilation. */
async function narrowSweep() {
  const { kernels } = await discoverKernels(workspace);
  const kernel = kernels.find(({ definition }) => Object.keys(definition?.search ?? {}).length > 2);
  const { search = {}, params = {} } = kernel?.definition ?? {};
  const sets = Object.keys(search).flatMap((name) => ['--set', `${name}=${params[name]}`]);
  const argv = [
    'sweep',
    kernel?.name ?? '',
    '-d',
    'emulator',
    '--by',
    'overheadPerFfma',
    ...sets,
    '--json',
    file,
  ];
  return { argv, id: kernel?.gemm.id };
}

const inJournal = (text: string) =>
  existsSync(`${file}.journal`) && readFileSync(`${file}.journal`, 'utf8').includes(text);

test('Ctrl-C ends a sweep with the words how to go on, and it goes on', async () => {
  const { argv, id } = await narrowSweep();
  const ended = await ffmaUntil(argv, () => inJournal('"compiled"'), 'SIGINT');
  expect(ended.code).toBe(130);
  expect(ended.stderr).toMatch(/^Go on with:\nnpx ffma sweep .* --resume$/m);
  expect(readdirSync(folder)).toEqual(['result.json']);
  const compiledAt = (text: string) =>
    ofKind(parseAnyResult(text), 'sweep', file).records.filter(({ type }) => type === 'compiled');
  const before = compiledAt(readFileSync(file, 'utf8'));
  expect(before).toHaveLength(1);

  const done = await ffma([...argv, '--resume']);
  expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
  expect(done.stdout).toContain('It is no time');
  const text = readFileSync(file, 'utf8');
  expect(compiledAt(text)).toEqual(before);
  expect(ofKind(parseAnyResult(text), 'sweep', file)).toMatchObject({
    sizes: [{ winner: id, ranking: [{ id, counter: expect.any(Number) }] }],
    variants: [{ outcome: 'built' }],
  });
}, 120_000);
