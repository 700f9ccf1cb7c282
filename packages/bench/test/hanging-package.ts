import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A kernel that takes so long that nobody waits for it. */
export interface Hanging {
  readonly ptx: string;
  readonly kernel: string;
  /** The kernel's one argument. */
  readonly arg: { readonly type: 'i32' | 'u64'; readonly value: number };
}

const source = (core: string, { ptx, kernel, arg }: Hanging) => `
import { launch, ObjectCode } from ${JSON.stringify(core)};

const hanging = {
  id: 'hanging',
  kernel: 'hanging',
  summary: 'Takes longer than anybody waits.',
  exactness: 'k-order',
  refusal: () => undefined,
  async load(device) {
    const loaded = await device.load(ObjectCode.fromPtx(${JSON.stringify(ptx)}));
    const close = () => loaded.close();
    return {
      gemm: hanging,
      device,
      artefact: { ranAs: 'jit', sha256: '', arch: device.arch, compiler: 'none' },
      prepare: (problem) => ({
        problem,
        plan: { launches: [] },
        enqueue: (stream) => {
          const config = { grid: [1, 1, 1], block: [1, 1, 1] };
          launch(stream, config, loaded.kernel(${JSON.stringify(kernel)}), ${JSON.stringify(arg)});
        },
        close: () => {},
        [Symbol.dispose]: () => {},
      }),
      close,
      [Symbol.dispose]: close,
    };
  },
};

export const kernels = [hanging];
`;

/** A kernel package in a temporary folder with this kernel. */
export function hangingPackage(hanging: Hanging): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'ffma-hanging-'));
  const core = pathToFileURL(createRequire(import.meta.url).resolve('@ffma/core')).href;
  writeFileSync(join(path, 'kernels.js'), source(core, hanging));
  const json = { name: 'hanging', type: 'module', ffma: { kernels: './kernels.js' } };
  writeFileSync(join(path, 'package.json'), JSON.stringify(json));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
