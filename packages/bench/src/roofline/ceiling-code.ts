import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  chooseArtefact,
  type Device,
  IntegrityError,
  type ManifestArtefact,
  ObjectCode,
  UnsupportedError,
} from '@ffma/core';
import { type CompileResult, compile } from '@ffma/core/compile';
import { type CeilingKernel, ceilingKernels } from './ceiling-kernels.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Not `dist/kernels`: that is where a package keeps kernels that multiply. */
const built = join(root, 'dist', 'ceilings');

function compiled(kernel: CeilingKernel, arch: string, format: 'ptx' | 'cubin'): Promise<CompileResult> {
  const { name, source, params, threads, entry } = kernel;
  return compile({
    source: pathToFileURL(join(root, 'kernels', source)),
    entries: [entry],
    params,
    derived: { threads },
    arch,
    format,
    name: `the ceiling ${name}`,
  });
}

const TARGETS = [
  { format: 'ptx', arch: 'compute_80' },
  { format: 'ptx', arch: 'compute_90' },
  { format: 'cubin', arch: 'sm_90' },
] as const;

/**
 * Compiles every ceiling kernel to `dist/ceilings`, for the package: PTX, and machine code for sm_90 where ptxas is here.
 * @throws UnavailableError where there is no CUDA compiler; CompileError
 */
export async function buildCeilings(): Promise<readonly ManifestArtefact[]> {
  const artefacts: ManifestArtefact[] = [];
  await mkdir(built, { recursive: true });
  const write = async (file: string, contents: string | Uint8Array) => {
    const temporary = join(built, `${file}.${process.pid}.tmp`);
    await writeFile(temporary, contents);
    await rename(temporary, join(built, file));
  };
  for (const kernel of ceilingKernels) {
    for (const { format, arch } of TARGETS) {
      const made = await compiled(kernel, arch, format).catch((error: unknown) => {
        if (format === 'cubin' && error instanceof UnsupportedError) return undefined;
        throw error;
      });
      if (made === undefined) continue;
      const file = `${kernel.name}.${arch}.${format}`;
      await write(file, made.object.bytes);
      artefacts.push({
        id: kernel.name,
        kernel: kernel.name,
        params: kernel.params,
        format,
        arch,
        file,
        sha256: made.object.sha256,
        compiler: made.compiler,
        symbols: { main: kernel.entry.symbol },
        ...made.resources?.[kernel.entry.symbol],
      });
    }
  }
  await write('manifest.json', `${JSON.stringify({ schemaVersion: 1, artefacts }, null, 2)}\n`);
  return artefacts;
}

async function manifest(): Promise<readonly ManifestArtefact[]> {
  const text = await readFile(join(built, 'manifest.json'), 'utf8').catch(() => undefined);
  return text === undefined ? [] : (JSON.parse(text) as { artefacts: readonly ManifestArtefact[] }).artefacts;
}

/** Ceiling kernels as they were built in a format; none where that was not made. */
export async function builtCeilings(format: 'ptx' | 'cubin') {
  const artefacts = (await manifest()).filter((one) => one.format === format);
  return await Promise.all(
    artefacts.map(async ({ id, arch, file }) => ({
      id,
      arch,
      bytes: new Uint8Array(await readFile(join(built, file))),
    })),
  );
}

/**
 * A ceiling kernel's code for a device: as it was built, else compiled now.
 * @throws IntegrityError where a file is not what was built; UnavailableError without a build and a compiler
 */
export async function ceilingCode(
  kernel: CeilingKernel,
  device: Pick<Device, 'arch' | 'formats'>,
): Promise<ObjectCode> {
  const chosen = chooseArtefact(await manifest(), kernel.name, device);
  if (chosen === undefined) {
    const format = device.formats.includes('ptx') ? 'ptx' : 'cubin';
    const arch = format === 'ptx' ? device.arch.replace('sm_', 'compute_') : device.arch;
    return (await compiled(kernel, arch, format)).object;
  }
  const bytes = new Uint8Array(await readFile(join(built, chosen.file)));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== chosen.sha256) {
    throw new IntegrityError(
      `${join(built, chosen.file)} does not have the digest that its manifest states.`,
      {
        remedy: 'Reinstall @ffma/bench, or build it again.',
      },
    );
  }
  const options = { name: `the ceiling ${kernel.name}`, arch: chosen.arch };
  return chosen.format === 'ptx' ? ObjectCode.fromPtx(bytes, options) : ObjectCode.fromCubin(bytes, options);
}
