import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DiscoveredKernel } from '../src/index.js';

const source = (module: string, name: string) => `
import { kernels as installed } from ${JSON.stringify(module)};

const right = installed.find((kernel) => kernel.name === ${JSON.stringify(name)});
const off = ({ alpha = 1, ...shape }) => ({ ...shape, alpha: alpha * 1.001 });

const wrong = Object.create(right, {
  load: {
    async value(device, options) {
      const loaded = await right.load(device, options);
      return {
        gemm: wrong,
        device,
        artefact: loaded.artefact,
        prepare: (shape, operands) => loaded.prepare(off(shape), operands),
        close: () => loaded.close(),
        [Symbol.dispose]: () => loaded.close(),
      };
    },
  },
});

export const kernels = [wrong];
`;

/** A kernel package in a temporary folder whose one kernel is an installed one, off by 0.1 %. */
export function wrongPackage({
  package: { folder, name: from },
  name,
}: DiscoveredKernel): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'ffma-wrong-'));
  const module = pathToFileURL(join(folder, 'dist', 'src', 'index.js')).href;
  writeFileSync(join(path, 'kernels.js'), source(module, name));
  const json = {
    name: `wrong-${from.replace(/\W+/g, '-')}`,
    type: 'module',
    ffma: { kernels: './kernels.js' },
  };
  writeFileSync(join(path, 'package.json'), JSON.stringify(json));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
