import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { interpret } from './support/interpret.js';
import { OUTPUTS, programPtx } from './support/program-ptx.js';
import { F, ProgramWriter, Random, type Statement } from './support/random-program.js';
import { runPtx } from './support/run-ptx.js';
import { sameValue } from './support/scalar-values.js';

const plain = new EmulatorDevice({ cache: false, fma: 'f64' });
const counting = new EmulatorDevice({ cache: false, counters: true, workers: 1 });
afterAll(() => {
  plain.close();
  counting.close();
});

const BLOCKS = 3;
const input = new Uint32Array(97);
const random = new Random(1);
for (let i = 0; i < input.length; i++)
  input[i] = random.below(4) === 0 ? random.below(40) : random.below(2 ** 32);

/** The first differing register of each block, as sentences. */
function differences(program: readonly Statement[], threads: number, out: BigUint64Array): string[] {
  const found: string[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const expected = interpret(program, { threads, block }, input).flatMap(({ r, d, p, f }) => [
      ...r.slice(0, 8),
      ...d,
      ...p.map((holds) => (holds ? 1n : 0n)),
      ...f,
    ]);
    const wrong = expected.findIndex((value, i) => {
      const got = out[block * threads * OUTPUTS + i]!;
      return i % OUTPUTS < OUTPUTS - F ? got !== value : !sameValue('f32', got, value);
    });
    if (wrong === -1) continue;
    found.push(
      `block ${block}, thread ${Math.floor(wrong / OUTPUTS)}, value ${wrong % OUTPUTS}: ${out[block * threads * OUTPUTS + wrong]}, not ${expected[wrong]}`,
    );
  }
  return found;
}

async function check(seed: number, device: EmulatorDevice, threads: number): Promise<void> {
  const program = new ProgramWriter(seed).program();
  const ptx = programPtx(program);
  const out = new BigUint64Array(BLOCKS * threads * OUTPUTS);
  await runPtx(device, ptx, { grid: BLOCKS, block: threads, args: [input, input.length, out] });
  expect(differences(program, threads, out), `seed ${seed}\n${ptx}`).toEqual([]);
}

// More of them, for a search: FFMA_FUZZ=5000 FFMA_FUZZ_START=300.
const SEEDS = Number(process.env.FFMA_FUZZ ?? 300);
const START = Number(process.env.FFMA_FUZZ_START ?? 0);

describe('random programs give what a simple interpreter gives', () => {
  for (let first = START; first < START + SEEDS; first += 50) {
    test(`seeds ${first} to ${first + 49}`, async () => {
      for (let seed = first; seed < first + 50; seed++) {
        await check(seed, seed % 3 === 0 ? counting : plain, seed % 5 === 0 ? 45 : 64);
      }
    });
  }
});
