import { cacheFolder, findToolchains, type ToolchainStatus } from '@ffma/core/compile';
import { type CudaReport, cudaReport } from '@ffma/core/cuda';
import { relaxedFuses } from '@ffma/emulator';
import { discoverKernels } from '../discover/discover-kernels.js';
import { builtArches, type Discovery, type DoctorSection } from '../discover/kernel-package.js';
import { hostFacts, toolVersions } from '../result/provenance.js';
import type { HostFacts } from '../result/schema.js';
import { type DeviceReport, reportDevice } from './device-report.js';
import { sectionsOf } from './sections.js';

export interface DoctorPackage {
  readonly name: string;
  readonly version: string;
  readonly kernels: readonly {
    readonly id: string;
    /** True where nothing has to be built. */
    readonly library: boolean;
    readonly ptx: readonly string[];
    readonly cubin: readonly string[];
  }[];
}

/** All that a bug report needs to know about a machine and what is installed on it. */
export interface DoctorReport {
  readonly tool: Readonly<Record<string, string>>;
  readonly host: HostFacts;
  readonly devices: readonly DeviceReport[];
  /** The addon, the driver and its libraries, and every GPU. */
  readonly cuda: CudaReport;
  /** See {@link steeringVariables}. */
  readonly environment: Readonly<Record<string, string | null>>;
  /** What the kernel packages add. */
  readonly sections: readonly DoctorSection[];
  /** Whether the emulator can compute exact FMAs by relaxed SIMD, its fast way, as this process is set up. */
  readonly relaxedSimd: boolean;
  readonly compilers: readonly ToolchainStatus[];
  readonly cacheFolder: string;
  readonly packages: readonly DoctorPackage[];
  readonly broken: Discovery['broken'];
  readonly missing: Discovery['missing'];
}

/** Told whether they are set or not. */
const always = ['NVIDIA_TF32_OVERRIDE', 'CUDA_VISIBLE_DEVICES'];

/** Told where they are set: ffma's own, and what decides which compilers and libraries are found. */
const STEERING =
  /^(FFMA_|CUDA_|NVCC|NVIDIA_)|^(LD_LIBRARY_PATH|PYTHONPATH|VIRTUAL_ENV|CONDA_PREFIX|XDG_CACHE_HOME)$/;

/** Variables that change what runs, or how; null where one of those that are always told is not set. */
export function steeringVariables(env: NodeJS.ProcessEnv): Record<string, string | null> {
  const set = Object.keys(env).filter((name) => STEERING.test(name) && env[name] !== '');
  const names = [...new Set([...always, ...set.sort()])];
  return Object.fromEntries(names.map((name) => [name, env[name] ?? null]));
}

/** Looks at everything ffma depends on. What is not there is a sentence in the report, never an error. */
export async function doctor(cwd = process.cwd()): Promise<DoctorReport> {
  const discovery = await discoverKernels(cwd);
  const kernels = discovery.kernels.map((kernel) => ({ gemm: kernel.gemm, kernel }));
  const compilers = await findToolchains();
  const devices: DeviceReport[] = [];
  for (const kind of ['cuda', 'emulator'] as const) devices.push(await reportDevice(kind, kernels));
  return {
    tool: toolVersions(),
    host: hostFacts(),
    devices,
    cuda: cudaReport(),
    environment: steeringVariables(process.env),
    sections: await sectionsOf(discovery.packages),
    relaxedSimd: relaxedFuses(),
    compilers,
    cacheFolder: cacheFolder(),
    packages: discovery.packages.map((owner) => ({
      name: owner.name,
      version: owner.version,
      kernels: discovery.kernels
        .filter((kernel) => kernel.package === owner)
        .map(({ gemm, definition }) => ({
          id: gemm.id,
          library: definition === undefined,
          ...builtArches(owner.manifest, gemm.id),
        })),
    })),
    broken: discovery.broken,
    missing: discovery.missing,
  };
}
