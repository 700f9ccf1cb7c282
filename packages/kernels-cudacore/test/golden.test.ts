import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Buffer, type Device, type KernelArg, launch, ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GoldenCase, goldenCases, goldenInputs, goldenPtx } from './golden/golden-cases.js';
import { withOneNaN } from './golden/golden-data.js';

interface Recording {
  readonly device: string;
  readonly ptx: Readonly<Record<string, string>>;
  readonly results: readonly {
    readonly name: string;
    readonly sha256: string;
    readonly first: readonly string[];
  }[];
}

const recording = JSON.parse(
  readFileSync(new URL('./golden/h200.json', import.meta.url), 'utf8'),
) as Recording;
const cases = goldenCases();

/** What a case leaves in C on a device, as one digest. */
async function run(device: Device, golden: GoldenCase): Promise<{ sha256: string; first: string[] }> {
  const { file, text } = goldenPtx(golden.kernel);
  using loaded = await device.load(ObjectCode.fromPtx(text, { name: file }));
  using stream = device.createStream();
  const inputs = goldenInputs(golden);
  const buffers: Record<string, Buffer> = {};
  for (const [name, values] of Object.entries(inputs)) {
    const buffer = await device.allocate(values.byteLength);
    await buffer.copyFrom(stream, values);
    buffers[name] = buffer;
  }
  const args = golden.args.map((arg): KernelArg => {
    if (arg.type === 'operand') return { type: 'pointer', buffer: buffers[arg.operand] as Buffer };
    if (arg.type === 'i32') return arg;
    return { type: 'f32', value: new Float32Array(Uint32Array.of(arg.bits).buffer)[0] as number };
  });
  const { grid, block, sharedBytes } = golden;
  launch(stream, { grid, block, sharedBytes }, loaded.kernel(golden.symbol), ...args);
  await buffers.c?.copyTo(stream, inputs.c);
  for (const buffer of Object.values(buffers)) buffer.close();
  const words = withOneNaN(inputs.c);
  return {
    sha256: createHash('sha256').update(words).digest('hex'),
    first: [...words.slice(0, 4)].map((word) => word.toString(16).padStart(8, '0')),
  };
}

describe('recorded on a GPU', () => {
  it('has the cases that the recorder reads', async () => {
    await expect(`${JSON.stringify(cases, null, 1)}\n`).toMatchFileSnapshot('./golden/cases.json');
  });

  it('holds every case, made from the PTX that is run here', () => {
    expect(recording.results.map(({ name }) => name)).toEqual(cases.map(({ name }) => name));
    for (const golden of cases) expect(goldenPtx(golden.kernel).sha256).toBe(recording.ptx[golden.ptx]);
    expect(new Set(cases.map(({ kernel }) => kernel)).size).toBe(3);
  });
});

describe.each(['f64', 'relaxed'] as const)('the emulator has the same bits as the GPU, FMA by %s', (fma) => {
  let device: EmulatorDevice;
  beforeAll(() => {
    device = new EmulatorDevice({ fma });
  });
  afterAll(() => device.close());

  it.each(cases)('$name', async (golden) => {
    const recorded = recording.results.find(({ name }) => name === golden.name);
    expect(await run(device, golden)).toEqual({ sha256: recorded?.sha256, first: recorded?.first });
  });
});
