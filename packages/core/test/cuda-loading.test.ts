import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { addonCandidates, loadAddon } from '../dist/cuda/loader.js';
import { buildFakeCuda, buildLibrary, runScript } from './support/fake-cuda.js';
import { Scratch } from './support/fake-tools.js';

const scratch = new Scratch();
const fake = buildFakeCuda(scratch);
afterAll(() => scratch[Symbol.dispose]());

const candidate = (path: string) => ({ name: path, specifier: path, absence: `there is no ${path}` });

function loadError(...paths: string[]): unknown {
  try {
    return loadAddon(paths.map(candidate));
  } catch (error) {
    return error;
  }
}

describe('the addon', () => {
  it('loads with no driver, in threads too', async () => {
    const { binding } = loadAddon();
    expect(binding.interfaceVersion).toBeGreaterThan(0);
    const loader = new URL('../dist/cuda/loader.js', import.meta.url).href;
    const worker = new Worker(
      `import(${JSON.stringify(loader)}).then(({ loadAddon }) =>
         require('node:worker_threads').parentPort.postMessage(Object.keys(loadAddon().binding)))`,
      { eval: true },
    );
    const keys = await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject));
    expect(keys).toEqual(Object.keys(binding));
  });

  it('is looked for where it is built, then in the package of the platform', () => {
    const [built, prebuilt] = addonCandidates('linux', 'arm64');
    expect(prebuilt?.specifier).toBe('@ffma/core-linux-arm64');
    expect(built?.specifier).toBe(fileURLToPath(new URL('../dist/native/ffma.node', import.meta.url)));
  });

  it('says of every candidate why it would not do, and how to build it', () => {
    const text = scratch.file('text.node', 'not a library');
    const old = buildLibrary(
      scratch,
      'old.node',
      `extern "C" {
         struct Env; struct Value;
         int napi_create_int32(Env*, int, Value**); int napi_set_named_property(Env*, Value*, const char*, Value*);
         __attribute__((visibility("default"))) Value* napi_register_module_v1(Env* env, Value* exports) {
           Value* number; napi_create_int32(env, 0, &number);
           napi_set_named_property(env, exports, "interfaceVersion", number); return exports;
         } }`,
    );
    const incomplete = buildLibrary(
      scratch,
      'incomplete.node',
      `extern "C" { void not_there(); void* pointer = (void*)not_there; }`,
    );
    const whole = readFileSync(addonCandidates()[0]!.specifier);
    const cut = [200_000, whole.length - 5_000].map((byteLength) => {
      const path = `${scratch.path}/cut-${byteLength}.node`;
      writeFileSync(path, whole.subarray(0, byteLength));
      return path;
    });
    const other = scratch.file(
      'other.cjs',
      "module.exports = { addon: '@ffma/cublas-ref', interfaceVersion: 1 };",
    );
    const paths = ['@ffma/nonesuch', text, incomplete, old, ...cut, other];
    const error = loadError(...paths) as Error & { details: unknown };
    expect(error).toMatchObject({ code: 'FFMA_UNAVAILABLE', details: { attempts: { length: 7 } } });
    for (const path of cut)
      expect(error.message).toContain(`${path} does not load (file is cut short: it has `);
    expect(error.message).toContain('other.cjs is the addon of @ffma/cublas-ref');
    expect(error.message).toContain('there is no @ffma/nonesuch');
    expect(error.message).toMatch(/text\.node does not load \(.*(ELF|too short)/);
    expect(error.message).toMatch(/incomplete\.node does not load \(undefined symbol: not_there/);
    expect(error.message).toMatch(/old\.node has interface version 0, but \d+ is needed/);
    expect(error.message).toContain('npm run build');
  });

  it('takes the first that will do', () => {
    const copy = `${scratch.path}/copy.node`;
    copyFileSync(addonCandidates()[0]!.specifier, copy);
    expect(loadAddon([candidate(`${scratch.path}/none.node`), candidate(copy)]).path).toBe(copy);
  });
});

const openAndReport = `
  const error = await core.openDevice('cuda').then(() => undefined, (e) => e);
  console.log(JSON.stringify({ ...error?.toJSON(), isUnavailable: error instanceof core.UnavailableError }));`;

function openWith(
  env: Record<string, string>,
): { message: string; isUnavailable: boolean } & Record<string, unknown> {
  return JSON.parse(runScript(openAndReport, env).stdout);
}

describe("openDevice('cuda')", () => {
  it('says that there is no driver, in a sentence', () => {
    const { message, isUnavailable, details } = openWith({ FFMA_LIBCUDA: '/nowhere/libcuda.so.1' });
    expect(isUnavailable).toBe(true);
    expect(message).toMatch(
      /^There is no NVIDIA driver on this machine: FFMA_LIBCUDA is \/nowhere\/libcuda\.so\.1, which is not found\. Use /,
    );
    expect(details).toMatchObject({ attempts: [{ problem: 'absent' }] });
  });

  it('says that the library of the driver does not load', () => {
    const path = scratch.file('libcuda-text.so', 'not a library either');
    expect(openWith({ FFMA_LIBCUDA: path }).message).toMatch(
      /^The NVIDIA driver's library .*libcuda-text\.so \(FFMA_LIBCUDA names it\) does not load \(.*(ELF|too short).*\)\./,
    );
  });

  it('does not touch a library that is cut short, by path or by name', () => {
    const whole = readFileSync(fake);
    const path = `${scratch.path}/short/libcuda.so.1`;
    mkdirSync(dirname(path));
    writeFileSync(path, whole.subarray(0, 20_000));
    const cut =
      /\/short\/libcuda\.so\.1 .*does not load \(.*file is cut short: it has \d+ bytes of at least \d+\)/;
    expect(openWith({ FFMA_LIBCUDA: path }).message).toMatch(cut);
    expect(openWith({ LD_LIBRARY_PATH: dirname(path) }).message).toMatch(
      /libcuda\.so\.1 does not load .*cut short/,
    );
  });

  it('says that the driver is too old, where it lacks a function and where it says so', () => {
    const path = buildLibrary(scratch, 'libcuda-old.so', 'extern "C" int cuInit(unsigned) { return 0; }');
    expect(openWith({ FFMA_LIBCUDA: path })).toMatchObject({
      isUnavailable: true,
      message: expect.stringMatching(
        /driver is too old: .*no function cuDriverGetVersion.*CUDA 12\.4 or newer\.$/,
      ),
    });
    expect(openWith({ FFMA_LIBCUDA: fake, FAKE_CUDA_VERSION: '12020' }).message).toMatch(
      /^The NVIDIA driver is too old: it is for CUDA 12\.2, but 12\.4 is needed\./,
    );
  });

  it('says that the driver sees no GPU, or does not start', () => {
    expect(openWith({ FFMA_LIBCUDA: fake, FAKE_CUDA_INIT: '100' })).toMatchObject({
      isUnavailable: true,
      native: 'CUDA_ERROR_NO_DEVICE',
      call: 'cuInit',
      message: expect.stringMatching(/^The NVIDIA driver sees no CUDA device\. See what nvidia-smi lists/),
    });
    expect(openWith({ FFMA_LIBCUDA: fake, FAKE_CUDA_INIT: '803' }).message).toMatch(
      /^The NVIDIA driver does not start: /,
    );
  });

  it.each(['cuDeviceGetCount', 'cuDeviceGetName', 'cuDeviceGetAttribute', 'cuCtxSetCurrent'])(
    'says that the driver fails to open, not that a caller is wrong, where %s does',
    (call) => {
      const env = { FFMA_LIBCUDA: fake, FAKE_CUDA_FAIL: `${call}:1` };
      expect(openWith(env)).toMatchObject({
        isUnavailable: true,
        call,
        native: 'CUDA_ERROR_1',
        message: expect.stringMatching(
          /^The NVIDIA driver fails to (count its devices|open GPU 0): .*Use openDevice/,
        ),
      });
      const { stdout } = runScript(
        `
        const device = await core.openDevice('auto').catch((error) => ({ kind: error.message }));
        console.log(device.kind); process.exit();`,
        env,
      );
      expect(stdout).not.toMatch(/The NVIDIA driver fails/);
    },
  );

  it('says that the driver counts no GPU, or does not say its version', () => {
    for (const count of ['0', '-1']) {
      const { message } = openWith({ FFMA_LIBCUDA: fake, FAKE_CUDA_COUNT: count });
      expect(message).toMatch(/^The NVIDIA driver sees no CUDA device\./);
    }
    expect(openWith({ FFMA_LIBCUDA: fake, FAKE_CUDA_FAIL: 'cuDriverGetVersion:1' })).toMatchObject({
      isUnavailable: true,
      message: expect.stringMatching(/^The NVIDIA driver at .* does not say its version\./),
    });
  });

  it('names the variable that led to what will not do', () => {
    const text = scratch.file('named.so', 'no library');
    expect(openWith({ FFMA_LIBCUDA: text }).message).toContain(
      `${text} (FFMA_LIBCUDA names it) does not load`,
    );
    expect(openWith({ FFMA_LIBCUDA: 'libc.so.6' }).message).toContain(
      'libc.so.6 (FFMA_LIBCUDA names it) has no',
    );
    expect(openWith({ FFMA_LIBCUDA: '/tmp' }).message).toContain(
      'FFMA_LIBCUDA is the folder /tmp, which holds no',
    );
  });

  it('refuses unknown options and GPUs that are not there', () => {
    const script = `
      for (const options of [{ x: 1 }, { index: -1 }, { index: 1 }]) {
        await core.openDevice('cuda', options).catch((e) => console.log(e.code, e.message));
      }`;
    const { stdout } = runScript(script, { FFMA_LIBCUDA: fake });
    expect(stdout.trim().split('\n')).toEqual([
      "FFMA_ARGUMENT A CUDA device has no option 'x'; it has index.",
      'FFMA_ARGUMENT The option index must be a whole number, but is -1.',
      'FFMA_ARGUMENT The option index is 1, but there are 1 GPUs, numbered from 0.',
    ]);
  });
});
