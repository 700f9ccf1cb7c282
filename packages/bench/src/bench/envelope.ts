import type { Device } from '@ffma/core';
import { deviceFacts, hostFacts, toolVersions } from '../result/provenance.js';
import type { BenchResult } from '../result/schema.js';

type Parts = Pick<BenchResult, 'protocol' | 'rows'> &
  Partial<Pick<BenchResult, 'sessions' | 'interrupted' | 'git'>> & {
    /** Keep the GPU's UUID as it is. */
    readonly uuid?: boolean | undefined;
  };

/** A result around its rows: where, when and by what they were made. */
export function benchResult(device: Device, parts: Parts): BenchResult {
  const { protocol, rows, sessions, interrupted, git, uuid } = parts;
  return {
    schemaVersion: 2,
    kind: 'bench',
    createdAt: new Date().toISOString(),
    tool: toolVersions(),
    ...(interrupted === undefined ? {} : { interrupted }),
    protocol,
    mathMode: 'fp32',
    host: hostFacts(),
    device: deviceFacts(device, { uuid }),
    ...(git === undefined ? {} : { git }),
    rows: [...rows],
    ...(sessions === undefined ? {} : { sessions: [...sessions] }),
  };
}
