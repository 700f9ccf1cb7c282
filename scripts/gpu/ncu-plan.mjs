// Prepares a comparison of the emulator's counters with Nsight Compute's: compiles kernels for sm_90, says how each is
// launched, and counts the same launches on the emulator. Needs nvcc, no GPU. Then, on a host with a GPU, ncu and
// numpy: python3 scripts/gpu/ncu-compare.py .ffma/ncu OUT
//
// usage: node scripts/gpu/ncu-plan.mjs [kernel[/variant][@n | @m×n×k as MxNxK]...]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileVariant } from '../../packages/core/dist/compile/index.js';
import { gemmProblem, multiply, resourcesOf } from '../../packages/core/dist/index.js';
import { counterFacts, EmulatorDevice, profiles } from '../../packages/emulator/dist/index.js';
import { kernels } from '../../packages/kernels-cudacore/dist/src/index.js';

const DEFAULT = [
  ...['k01', 'k02', 'k03', 'k06', 'k09', 'k09s/128x64x16_rows', 'k09s'],
  ...['k10', 'k10/256x128x16_16x8_noremap', 'k11'],
];
const folder = '.ffma/ncu';

/** @param {string} text `k06`, `k09s/128x64x16_rows`, either with `@2048` or `@2048x2048x64` */
function parse(text) {
  const [kernel, size = '1024'] = text.split('@');
  const [name, variant = 'default'] = /** @type {string} */ (kernel).split('/');
  const gemm = kernels.find((one) => one.name === name)?.variants.get(variant);
  if (gemm === undefined) throw new RangeError(`There is no kernel ${kernel}.`);
  const [m, n = m, k = m] = size.split('x').map(Number);
  return { gemm, shape: { m: Number(m), n: Number(n), k: Number(k) } };
}

/** Figures that ncu has, too; the names are those of counterFacts. */
const FIGURES = [
  ...['global.load.requests', 'global.load.sectors', 'global.store.requests', 'global.store.sectors'],
  ...['shared.load.requests', 'shared.load.wavefronts', 'shared.load.bankConflicts'],
  ...['shared.store.requests', 'shared.store.wavefronts', 'shared.store.bankConflicts'],
  ...['instructions.ffma', 'instructions.total'],
  ...['l2Model.readSectors', 'l2Model.readHitRate', 'l2Model.dramReadBytes', 'l2Model.dramWrittenBytes'],
];

/** @param {ReturnType<typeof parse>} asked @param {number} index */
async function prepare({ gemm, shape }, index) {
  const { object, resources } = await compileVariant(gemm, { arch: 'sm_90', format: 'cubin' });
  const { arch, limits } = profiles.h200;
  const problem = gemmProblem(shape);
  const device = { name: 'H200', arch, limits };
  const plan = gemm.plan(problem, device, resourcesOf(gemm, resources ?? {}));
  const [launch, ...more] = plan.launches;
  if (launch === undefined || more.length > 0)
    throw new RangeError(`${gemm.id} has ${plan.launches.length} launches, not one.`);
  const file = `${index}.cubin`;
  writeFileSync(join(folder, file), object.bytes);
  const registers = resources?.main?.registers;
  const counters = { l2: registers === undefined ? true : { registers } };
  const emulator = new EmulatorDevice({ counters, checks: false, fma: 'relaxed' });
  try {
    const a = new Float32Array(shape.m * shape.k).fill(1);
    const b = new Float32Array(shape.k * shape.n).fill(1);
    await multiply(emulator, gemm, a, b, { ...shape, compile: true });
    const facts = counterFacts(emulator.takeProfiles());
    const figures = Object.fromEntries(
      FIGURES.map((name) => [name, Number.isFinite(facts.value(name)) ? facts.value(name) : null]),
    );
    const { grid, block, sharedBytes = 0, args } = launch;
    return {
      id: gemm.id,
      ...shape,
      registers,
      file,
      symbol: gemm.symbols[launch.entry],
      grid,
      block,
      sharedBytes,
      args,
      figures,
    };
  } finally {
    emulator.close();
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const asked = process.argv.slice(2);
const launches = [];
for (const [index, one] of (asked.length > 0 ? asked : DEFAULT).map(parse).entries()) {
  const started = Date.now();
  launches.push(await prepare(one, index));
  console.log(
    `${one.gemm.id} at ${Object.values(one.shape).join('×')}: ${((Date.now() - started) / 1000).toFixed(0)} s`,
  );
  writeFileSync(
    join(folder, 'plan.json'),
    `${JSON.stringify({ schemaVersion: 1, launches }, undefined, 1)}\n`,
  );
}
