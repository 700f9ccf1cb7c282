import type { Device } from '@ffma/core';
import { deviceFacts, hostFacts, toolVersions } from '../result/provenance.js';
import { nothingFailed, type VerifiedKernel } from './run-verify.js';

/** What `ffma verify --json` prints: where it ran, and the report of each kernel with the package it came from. */
export function verifyJson(device: Device, verified: readonly VerifiedKernel[]) {
  return {
    schemaVersion: 1,
    kind: 'verify',
    createdAt: new Date().toISOString(),
    tool: toolVersions(),
    host: hostFacts(),
    device: deviceFacts(device),
    passed: nothingFailed(verified),
    kernels: verified.map(({ selected: { kernel }, report }) => ({
      package: { name: kernel.package.name, version: kernel.package.version },
      report,
    })),
  } as const;
}
