import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CompileError } from '../errors.js';
import { type Environment, findExecutable } from './find-executable.js';
import { firstError, type KernelResources, parseResources } from './log.js';
import { runProcess } from './run-process.js';

/** NVIDIA's assembler: PTX to machine code, and what the machine code uses. */
export interface Ptxas {
  readonly path: string;
  readonly version: string;
}

export interface Assembled {
  readonly cubin: Uint8Array;
  readonly resources: Readonly<Record<string, KernelResources>>;
}

/** ptxas beside nvcc, in `CUDA_HOME` or `CUDA_PATH`, or on the PATH; undefined where there is none that works. */
export async function findPtxas(env: Environment, nvccPath?: string): Promise<Ptxas | undefined> {
  const places = [
    ...(nvccPath === undefined ? [] : [join(dirname(nvccPath), 'ptxas')]),
    ...[env.CUDA_HOME, env.CUDA_PATH]
      .filter((home) => !!home)
      .map((home) => join(home as string, 'bin', 'ptxas')),
    'ptxas',
  ];
  for (const place of places) {
    const path = findExecutable(place, env);
    if (path === undefined) continue;
    const { code, output } = await runProcess(path, ['--version'], { env });
    const version = /V(\d+\.\d+\.\d+)/.exec(output)?.[1];
    if (code === 0 && version !== undefined) return { path, version };
  }
  return undefined;
}

/** Flags that can change the machine code. Part of the cache key. */
export function ptxasFlags(arch: string): readonly string[] {
  return [`-arch=${arch.replace('compute_', 'sm_')}`, '-O3', '-lineinfo', '-v'];
}

/**
 * Assembles PTX text. `folder` must not hold the sources: ptxas would write their times into the line information.
 * @throws CompileError where ptxas refuses it
 */
export async function assemble(ptxas: Ptxas, ptx: string, arch: string, folder: string): Promise<Assembled> {
  await writeFile(join(folder, 'in.ptx'), ptx);
  const args = [...ptxasFlags(arch), 'in.ptx', '-o', 'out.cubin'];
  const { code, output } = await runProcess(ptxas.path, args, { cwd: folder });
  if (code !== 0) {
    throw new CompileError(`ptxas ${ptxas.version} refused the PTX: ${firstError(output)}`, {
      details: { log: output },
    });
  }
  return {
    cubin: new Uint8Array(await readFile(join(folder, 'out.cubin'))),
    resources: parseResources(output),
  };
}
