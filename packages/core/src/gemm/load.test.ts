import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeDevice } from '../../test/support/fake-device.js';
import { fakeNvcc, Scratch } from '../../test/support/fake-tools.js';
import { sampleKernel, sizedKernel } from '../../test/support/sample-kernel.js';
import { chooseArtefact } from './load.js';
import type { ManifestArtefact } from './manifest.js';

const made = (format: 'ptx' | 'cubin', arch: string, id = 'k'): ManifestArtefact => ({
  id,
  kernel: 'k',
  params: {},
  format,
  arch,
  file: `${arch}.${format}`,
  sha256: '',
  compiler: 'nvcc',
  symbols: {},
});

describe('chooseArtefact', () => {
  const all = [
    made('ptx', 'compute_80'),
    made('ptx', 'compute_90'),
    made('cubin', 'sm_90'),
    made('ptx', 'compute_90', 'x'),
  ];

  it('takes a cubin of exactly this architecture first', () => {
    expect(chooseArtefact(all, 'k', { arch: 'sm_90', formats: ['cubin', 'ptx'] })?.file).toBe('sm_90.cubin');
    expect(chooseArtefact(all, 'k', { arch: 'sm_100', formats: ['cubin', 'ptx'] })?.file).toBe(
      'compute_90.ptx',
    );
  });

  it('takes the newest PTX that the device can run', () => {
    expect(chooseArtefact(all, 'k', { arch: 'sm_90', formats: ['ptx'] })?.file).toBe('compute_90.ptx');
    expect(chooseArtefact(all, 'k', { arch: 'sm_86', formats: ['ptx'] })?.file).toBe('compute_80.ptx');
    expect(chooseArtefact(all, 'k', { arch: 'sm_75', formats: ['ptx'] })).toBeUndefined();
  });

  it('takes what is specific to an architecture there first, and nowhere else', () => {
    const specific = [...all, made('cubin', 'sm_90a'), made('ptx', 'compute_90a')];
    const file = (arch: string, format?: 'cubin' | 'ptx') =>
      chooseArtefact(specific, 'k', { arch, formats: ['cubin', 'ptx'] }, format)?.file;
    expect(file('sm_90')).toBe('sm_90a.cubin');
    expect(file('sm_90', 'ptx')).toBe('compute_90a.ptx');
    expect(file('sm_100')).toBe('compute_90.ptx');
    expect(file('sm_89')).toBe('compute_80.ptx');
    const only = [made('cubin', 'sm_90a'), made('ptx', 'compute_90a')];
    for (const arch of ['sm_80', 'sm_100', 'sm_120'])
      expect(chooseArtefact(only, 'k', { arch, formats: ['cubin', 'ptx'] })).toBeUndefined();
  });

  it('obeys a wish for a format, and knows only this id', () => {
    expect(chooseArtefact(all, 'k', { arch: 'sm_90', formats: ['cubin', 'ptx'] }, 'ptx')?.file).toBe(
      'compute_90.ptx',
    );
    expect(chooseArtefact(all, 'other', { arch: 'sm_90', formats: ['ptx'] })).toBeUndefined();
  });
});

describe('load', () => {
  const text = '.version 8.0';
  let scratch: Scratch;
  beforeEach(() => {
    scratch = new Scratch();
    scratch.file('package.json', '{}');
    vi.stubEnv('FFMA_CACHE_DIR', scratch.path);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    scratch[Symbol.dispose]();
  });
  const kernel = () => sampleKernel(pathToFileURL(scratch.file('kernel.cu', '// k')));
  const build = (sha256: string, extra: Partial<ManifestArtefact> = {}) => {
    const artefact = { ...made('ptx', 'compute_80', kernel().id), sha256, ...extra };
    const manifest = { schemaVersion: 1, package: '@x/y', version: '1.0.0', artefacts: [artefact] };
    scratch.file('dist/kernels/compute_80.ptx', text);
    scratch.file('dist/kernels/manifest.json', JSON.stringify(manifest));
  };
  const sha256 = createHash('sha256').update(text).digest('hex');

  it('loads what the package ships and says what it is', async () => {
    build(sha256, { resources: { main: { registers: 40, sharedBytes: 256, spillBytes: 0 } } });
    const device = new FakeDevice();
    using loaded = await kernel().load(device.asDevice);
    expect(loaded.artefact).toEqual({ ranAs: 'emulated', sha256, arch: 'compute_80', compiler: 'nvcc' });
    expect(device.objects[0]?.text).toBe(text);
    expect(loaded).toMatchObject({ resources: { main: { registers: 40, estimated: false } } });
  });

  it('estimates registers from the block where nothing counted them', async () => {
    build(sha256);
    using loaded = await kernel().load(new FakeDevice().asDevice);
    expect(loaded).toMatchObject({
      resources: { main: { registers: 255, sharedBytes: 256, estimated: true } },
    });
  });

  it('refuses bytes that are not those of the manifest', async () => {
    build('0'.repeat(64));
    await expect(kernel().load(new FakeDevice().asDevice)).rejects.toMatchObject({ code: 'FFMA_INTEGRITY' });
  });

  it('names an artefact that is not there', async () => {
    build(sha256, { file: 'gone.ptx' });
    await expect(kernel().load(new FakeDevice().asDevice)).rejects.toMatchObject({
      code: 'FFMA_INTEGRITY',
      message: expect.stringContaining('gone.ptx, which the manifest names, cannot be read'),
    });
  });

  it('lists what is built where nothing fits', async () => {
    build(sha256);
    await expect(kernel().load(new FakeDevice('sm_75').asDevice)).rejects.toThrow(
      /No built artefact of k90_bm32_s2_noprefetch covers sm_75 \(ptx\); built: ptx compute_80/,
    );
  });

  it('compiles where that is asked for', async () => {
    fakeNvcc(scratch);
    vi.stubEnv('PATH', `${scratch.path}/bin`);
    vi.stubEnv('FFMA_CUDA_COMPILER', 'nvcc');
    vi.stubEnv('NVCC', '');
    const device = new FakeDevice();
    await expect(kernel().load(device.asDevice)).rejects.toThrow(
      /built: none.*compile: true.*--compile.*--all-variants/,
    );
    using loaded = await kernel().load(device.asDevice, { compile: true });
    expect(loaded.artefact).toMatchObject({ arch: 'compute_90', compiler: 'nvcc 12.4.131' });
  });

  it('takes PTX where the compiler at hand has no ptxas', async () => {
    fakeNvcc(scratch);
    vi.stubEnv('PATH', `${scratch.path}/bin`);
    vi.stubEnv('FFMA_CUDA_COMPILER', 'nvcc');
    vi.stubEnv('NVCC', '');
    const device = new FakeDevice('sm_90', ['cubin', 'ptx']);
    using loaded = await kernel().load(device.asDevice, { compile: true });
    expect(loaded.artefact).toMatchObject({ arch: 'compute_90' });
    await expect(kernel().load(device.asDevice, { compile: true, format: 'cubin' })).rejects.toMatchObject({
      code: 'FFMA_UNSUPPORTED',
    });
  });

  describe('with sizes compiled in', () => {
    const open = () => sizedKernel(pathToFileURL(scratch.file('kernel.cu', '// k')));
    const sizes = { m: 64, n: 32, k: 16 };

    it('is refused until they are filled in', async () => {
      await expect(open().load(new FakeDevice().asDevice, { compile: true })).rejects.toMatchObject({
        code: 'FFMA_UNSUPPORTED',
        remedy: expect.stringContaining('forShape({ m, n, k })'),
      });
    });

    it('compiles once they are, without being asked to', async () => {
      fakeNvcc(scratch);
      vi.stubEnv('PATH', `${scratch.path}/bin`);
      vi.stubEnv('FFMA_CUDA_COMPILER', 'nvcc');
      vi.stubEnv('NVCC', '');
      const device = new FakeDevice();
      const filled = open().forShape(sizes);
      using loaded = await filled.load(device.asDevice);
      expect(loaded.gemm.id).toBe('k91_bm32_m64_n32_k16');
      expect(loaded.artefact).toMatchObject({ compiler: 'nvcc 12.4.131' });
      await expect(filled.load(device.asDevice, { compile: false })).rejects.toThrow(/No built artefact/);
    });

    it('says that there is no compiler where there is none', async () => {
      vi.stubEnv('PATH', scratch.path);
      for (const name of ['NVCC', 'CUDA_HOME', 'CUDA_PATH']) vi.stubEnv(name, '');
      vi.stubEnv('FFMA_CUDA_COMPILER', 'nvcc');
      const loading = open().forShape(sizes).load(new FakeDevice().asDevice);
      await expect(loading).rejects.toMatchObject({ code: 'FFMA_UNAVAILABLE' });
    });
  });

  it('closes what it loaded, and refuses use after that', async () => {
    build(sha256);
    const device = new FakeDevice();
    const loaded = await kernel().load(device.asDevice);
    loaded.close();
    loaded.close();
    expect(device.open.size).toBe(0);
    const buffer = device.allocateSync(4);
    expect(() => loaded.prepare({ m: 0, n: 0, k: 0 }, { a: buffer, b: buffer, c: buffer })).toThrow(
      /is closed/,
    );
  });
});
