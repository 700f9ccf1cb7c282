import { cacheFolder, findToolchains, type ToolchainStatus } from '@ffma/core/compile';
import { relaxedFuses } from '@ffma/emulator';
import { discoverKernels } from '../discover/discover-kernels.js';
import { builtArches, type Discovery } from '../discover/kernel-package.js';
import { hostFacts, toolVersions } from '../result/provenance.js';
import type { HostFacts } from '../result/schema.js';
import { type DeviceReport, reportDevice } from './device-report.js';

export interface DoctorPackage {
  readonly name: string;
  readonly version: string;
  readonly kernels: readonly {
    readonly id: string;
    readonly ptx: readonly string[];
    readonly cubin: readonly string[];
  }[];
}

/** All that a bug report needs to know about a machine and what is installed on it. */
export interface DoctorReport {
  readonly tool: Readonly<Record<string, string>>;
  readonly host: HostFacts;
  readonly devices: readonly DeviceReport[];
  /** Whether the emulator can compute exact FMAs by relaxed SIMD, its fast way, as this process is set up. */
  readonly relaxedSimd: boolean;
  readonly compilers: readonly ToolchainStatus[];
  readonly cacheFolder: string;
  readonly packages: readonly DoctorPackage[];
  readonly broken: Discovery['broken'];
  readonly missing: Discovery['missing'];
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
    relaxedSimd: relaxedFuses(),
    compilers,
    cacheFolder: cacheFolder(),
    packages: discovery.packages.map((owner) => ({
      name: owner.name,
      version: owner.version,
      kernels: discovery.kernels
        .filter((kernel) => kernel.package === owner)
        .map(({ gemm }) => ({ id: gemm.id, ...builtArches(owner.manifest, gemm.id) })),
    })),
    broken: discovery.broken,
    missing: discovery.missing,
  };
}
