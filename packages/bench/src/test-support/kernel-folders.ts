import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder with the given files (objects become JSON); removed when disposed. */
export function temporaryFolder(
  files: Readonly<Record<string, string | object>> = {},
): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'ffma-bench-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Source of a kernel package's module: kernels by shape only, so that it needs nothing installed. */
export function kernelModule(
  ...kernels: readonly { name: string; basedOn?: string; variants?: readonly string[] }[]
) {
  return `const gemm = (kernel, id) => ({
  kernel, id, summary: 'Does ' + kernel + '.', exactness: 'k-order', refusal() {}, async load() { throw new Error('no device') },
});
export const kernels = ${JSON.stringify(kernels)}.map(({ name, basedOn, variants = [] }) => {
  const own = gemm(name, name + '_bm32');
  own.definition = { name, slug: 'slug', basedOn, change: own.summary };
  own.variants = new Map([['default', own], ...variants.map((v) => [v, gemm(name, name + '_' + v)])]);
  own.with = (params) => gemm(name, name + Object.entries(params).map(([k, v]) => '_' + k.toLowerCase() + v).join(''));
  return own;
});
`;
}

/** `package.json` of a kernel package. */
export function kernelPackageJson(name: string, more: object = {}): object {
  return { name, version: '1.2.3', type: 'module', ffma: { kernels: './kernels.js' }, ...more };
}
