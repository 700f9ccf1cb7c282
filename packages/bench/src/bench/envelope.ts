import type { Device } from '@ffma/core';
import { deviceFacts, hostFacts, toolVersions } from '../result/provenance.js';
import type { BenchResult } from '../result/schema.js';

/** A result around its rows: where, when and by what they were made. */
export function benchResult(
  device: Device,
  parts: Pick<BenchResult, 'protocol' | 'rows'> & Partial<Pick<BenchResult, 'sessions' | 'interrupted'>>,
): BenchResult {
  const { protocol, rows, sessions, interrupted } = parts;
  return {
    schemaVersion: 1,
    kind: 'bench',
    createdAt: new Date().toISOString(),
    tool: toolVersions(),
    ...(interrupted === undefined ? {} : { interrupted }),
    protocol,
    mathMode: 'fp32',
    host: hostFacts(),
    device: deviceFacts(device),
    rows: [...rows],
    ...(sessions === undefined ? {} : { sessions: [...sessions] }),
  };
}
