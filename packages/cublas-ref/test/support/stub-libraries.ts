import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const sources = join(import.meta.dirname, '..', 'stub');

/** Libraries that stand for the driver and for cuBLAS, built in a temporary folder. */
export class StubLibraries implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ffma-cublas-'));

  #build(source: string, file: string, ...options: string[]): string {
    const output = join(this.folder, file);
    const flags = ['-std=c++17', '-shared', '-fPIC', '-pthread', '-O2', ...options];
    execFileSync(process.env.CXX ?? 'c++', [...flags, join(sources, source), '-o', output, '-ldl'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return output;
  }

  driver(): string {
    return this.#build('driver.cpp', 'libcuda-stub.so');
  }

  cublas(major: number, file = `libcublas.so.${major}`, ...options: string[]): string {
    return this.#build(
      'cublas.cpp',
      file,
      '-Wall',
      '-Wextra',
      '-Werror',
      `-DSTUB_MAJOR=${major}`,
      ...options,
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
