import type { EmulatorDevice, LaunchProfile, SiteCounters } from '@ffma/emulator';
import { expect } from 'vitest';
import { type PtxLaunch, runPtx } from './run-ptx.js';

/** Runs a kernel once and takes its profile. */
export async function profileOf(
  device: EmulatorDevice,
  ptx: string,
  launch: PtxLaunch,
): Promise<LaunchProfile> {
  device.takeProfiles();
  await runPtx(device, ptx, launch);
  const profiles = device.takeProfiles();
  expect(profiles).toHaveLength(1);
  return profiles[0]!;
}

/** The site of an instruction that starts so. */
export function site({ sites }: LaunchProfile, start: string): SiteCounters {
  const found = sites.filter(({ instruction }) => instruction.startsWith(start));
  expect(found, start).toHaveLength(1);
  return found[0]!;
}

/** %rd3 = p + byte offset that `%r1` (the thread) gives by `offset`, in %r2. */
export const at = (offset: string) => `
ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; ${offset} mul.wide.u32 %rd2, %r2, 1; add.s64 %rd3, %rd1, %rd2;`;

/** A parameter for {@link at}. */
export const memory = () => new Float32Array(4096);
