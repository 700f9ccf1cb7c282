import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildFakeNvrtc, buildLibrary, runScript } from './support/fake-cuda.js';
import { fakeClang, Scratch } from './support/fake-tools.js';

const scratch = new Scratch();
const nvrtc = buildFakeNvrtc(scratch, 'libnvrtc-fake.so');
const bin = dirname(fakeClang(scratch));
afterAll(() => scratch[Symbol.dispose]());

const module = JSON.stringify(new URL('../dist/compile/index.js', import.meta.url).href);

/** What a script that imports the compile service as `service` prints, on a machine with clang and this NVRTC. */
function run(body: string, env: Readonly<Record<string, string>>) {
  const machine = {
    PATH: bin,
    NVCC: '',
    CUDA_HOME: '',
    CUDA_PATH: '',
    FFMA_CLANG: '',
    FFMA_CUDA_COMPILER: '',
  };
  const script = `
    const service = await import(${module});
    const print = (value) => console.log(JSON.stringify(value));`;
  const { code, stdout, stderr } = runScript(script + body, {
    ...machine,
    FFMA_CACHE_DIR: scratch.path,
    ...env,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const status = (env: Readonly<Record<string, string>>) =>
  run(`print((await service.findToolchains()).find(({ name }) => name === 'nvrtc'));`, env);

const source = `{ name: 'k.cu', text: '#include <ffma/ffma.cuh>\\n#include <ffma/fma.cuh>\\n' }`;
const compiled = `service.compile({ source: ${source}, arch: 'compute_80', format: 'ptx' })`;

describe('NVRTC', () => {
  it('is given each header under one name, and every include asks for it by that', () => {
    const ptx: string = run(`print((await ${compiled}).object.text);`, { FFMA_LIBNVRTC: nvrtc });
    const headers = [...ptx.matchAll(/^\/\/ header (".*")$/gm)].map(([, name]) => name);
    const asked = [...ptx.matchAll(/^\/\/ \S+ has #include (.*)$/gm)].map(([, name]) => name);
    expect(asked).toEqual(expect.arrayContaining(['"ffma/ffma.cuh"', '"ffma/fma.cuh"']));
    expect(new Set(asked)).toEqual(new Set(headers));
    expect(headers.length).toBeGreaterThan(5);
  });

  it('is not taken where it cannot compile, and a clang that can is', () => {
    const env = {
      FFMA_LIBNVRTC: nvrtc,
      FAKE_NVRTC_RESULT: '7',
      FAKE_NVRTC_LOG: 'nvrtc: error: failed to open libnvrtc-builtins.so.13.7.\n  Make sure it is there.\n',
    };
    expect(run(`print((await ${compiled}).compiler);`, env)).toBe('clang 19.1.7');
    const found = status(env);
    expect(found).toMatchObject({ available: false, remedy: expect.stringContaining('FFMA_LIBNVRTC') });
    expect(found.reason).toBe(
      `${nvrtc} is found, but cannot compile. NVRTC does not work: nvrtcCompileProgram gives ` +
        'NVRTC_ERROR_BUILTIN_OPERATION_FAILURE: nvrtc: error: failed to open libnvrtc-builtins.so.13.7. ' +
        'Make sure it is there.',
    );
  });

  it('is told with its log where it refuses even the least kernel', () => {
    const env = {
      FFMA_LIBNVRTC: nvrtc,
      FAKE_NVRTC_RESULT: '6',
      FAKE_NVRTC_LOG: 'error: no such architecture',
    };
    expect(status(env).reason).toMatch(/cannot compile\. NVRTC refused .* error: no such architecture$/);
  });

  it('finds its second library beside it, where the loader does not look', () => {
    const path = buildFakeNvrtc(scratch, 'wheel/libnvrtc.so.13', ['-DBUILTINS']);
    expect(status({ FFMA_LIBNVRTC: path })).toMatchObject({ available: false });
    buildLibrary(scratch, 'wheel/libnvrtc-builtins.so.13.7', 'extern "C" int builtins() { return 1; }', [
      '-Wl,-soname,libnvrtc-builtins.so.13.7',
    ]);
    expect(status({ FFMA_LIBNVRTC: path })).toMatchObject({ available: true, path, version: '13.7' });
    const builtins = `${dirname(path)}/libnvrtc-builtins.so.13.7`;
    writeFileSync(builtins, readFileSync(builtins).subarray(0, 4_100));
    expect(status({ FFMA_LIBNVRTC: path })).toMatchObject({ available: false });
  });
});

describe('an NVRTC that is not there', () => {
  const folder = dirname(scratch.file('empty/nothing', ''));
  const names = 'libnvrtc.so.13, libnvrtc.so.12, libnvrtc.so';

  it('is told by what its variable names', () => {
    expect(status({ FFMA_LIBNVRTC: folder }).reason).toBe(
      `There is no NVRTC: FFMA_LIBNVRTC is the folder ${folder}, which holds none of ${names}.`,
    );
    expect(status({ FFMA_LIBNVRTC: '/nowhere/libnvrtc.so' }).reason).toBe(
      'There is no NVRTC: FFMA_LIBNVRTC is /nowhere/libnvrtc.so, which is not found.',
    );
  });

  it('is told by what is wrong with the file', () => {
    const text = scratch.file('libnvrtc-text.so', 'no library');
    expect(status({ FFMA_LIBNVRTC: text }).reason).toMatch(
      /^NVRTC cannot be used: \S+\/libnvrtc-text\.so \(FFMA_LIBNVRTC names it\) does not load \((file too short|invalid ELF).*\)\.$/,
    );
    const old = buildLibrary(scratch, 'libnvrtc-old.so', 'extern "C" int nvrtcVersion() { return 0; }');
    expect(status({ FFMA_LIBNVRTC: old }).reason).toBe(
      `NVRTC cannot be used: ${old} (FFMA_LIBNVRTC names it) is too old, it has no function nvrtcGetErrorString.`,
    );
  });
});
