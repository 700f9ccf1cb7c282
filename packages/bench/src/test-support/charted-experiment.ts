import { defineExperiment, type Experiment, type ExperimentChart } from '@ffma/core';
import { type ExperimentResult, isExperimentResult } from '../experiment/row-figures.js';
import { runExperiment } from '../experiment/run-experiment.js';
import { discoveryOf, fakeKernel, fakePackage } from './fake-kernel.js';
import { FakeTimingDevice } from './fake-timing-device.js';

/** Names of the rows beside the reference: neither of two changes, one, the other, both. */
export const chartedRows = ['base', 'one', 'two', 'both'];
const times = { lib: () => 60, base: () => 80, one: () => 88, two: () => 76, both: () => 64 };

const published = (value: number, unit: '%' | 'us', kind: 'fixed configuration' | "sweep's best") =>
  ({ size: 8, value, unit, gpu: 'H100', kind }) as const;

/** An experiment's result that asks for these charts, as it is read from a file. */
export async function chartedExperiment(...charts: ExperimentChart[]): Promise<ExperimentResult> {
  const experiment: Experiment = defineExperiment({
    name: 'made-up',
    question: 'What is drawn?',
    source: { title: 'an article', table: 'a table' },
    sizes: [8],
    rounds: 3,
    rows: [
      {
        name: 'base',
        kernel: 'base',
        published: [published(65, '%', "sweep's best"), published(100, 'us', 'fixed configuration')],
      },
      { name: 'one', kernel: 'one', published: [published(89, '%', "sweep's best")] },
      { name: 'two', kernel: 'two', published: [published(97, '%', 'fixed configuration')] },
      { name: 'both', kernel: 'both', published: [published(90, 'us', 'fixed configuration')] },
      { name: 'library', kernel: { role: 'reference' } },
    ],
    charts,
    conclude: () => [],
  });
  const kernels = [
    fakeKernel('lib', { role: 'reference' }),
    ...chartedRows.map((name) => fakeKernel(name, {})),
  ];
  const discovery = { ...discoveryOf(...kernels), experiments: [{ experiment, package: fakePackage }] };
  const device = new FakeTimingDevice({ times });
  const protocol = { launches: 2, warmUpMs: 0 };
  const result = await runExperiment(device, { experiment, package: fakePackage }, { discovery, protocol });
  const read = JSON.parse(JSON.stringify(result));
  if (!isExperimentResult(read)) throw new Error('It is of no experiment.');
  return read;
}

/** Every kind of chart that an experiment can ask for. */
export const everyChart: readonly ExperimentChart[] = [
  { kind: 'steps', rows: chartedRows, apart: ['base'] },
  {
    kind: 'two-by-two',
    about: 'BK 8',
    changes: [
      { off: 'A row-major', on: 'A transposed' },
      { off: 'no prefetch', on: 'prefetch' },
    ],
    rows: { neither: 'base', first: 'one', second: 'two', both: 'both' },
  },
  {
    kind: 'arrows',
    ends: ['by rows', 'grouped'],
    arrows: [{ about: 'a tile of 128×64, A transposed', from: 'base', to: 'both' }],
  },
  { kind: 'stalls', rows: chartedRows },
  { kind: 'opcodes', rows: chartedRows },
  { kind: 'schedulers', rows: chartedRows },
];
