import type { MachineCodeLimits } from '@ffma/core';
import type { SassFacts } from './facts.js';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Limits that machine code breaks, as sentences; none where it keeps them all. A fact that is missing keeps no limit. */
export function checkSass({ symbol, loop, local }: SassFacts, limits: MachineCodeLimits): string[] {
  const broken: string[] = [];
  // Written so that NaN breaks a limit.
  const least = (
    what: string,
    value: number | undefined,
    limit: number | undefined,
    text: (n: number) => string,
  ) => {
    if (limit === undefined || (value !== undefined && value >= limit)) return;
    broken.push(
      `${symbol}: ${what} is ${value === undefined ? 'unknown' : text(value)}, but at least ${text(limit)} is asked for.`,
    );
  };
  const most = (
    what: string,
    value: number | undefined,
    limit: number | undefined,
    text: (n: number) => string,
  ) => {
    if (limit === undefined || (value !== undefined && value <= limit)) return;
    broken.push(
      `${symbol}: ${what} is ${value === undefined ? 'unknown' : text(value)}, but at most ${text(limit)} is allowed.`,
    );
  };
  const slow = loop && loop.fresh[3] + loop.sameBank;
  least('the share of FFMAs in the main loop', loop?.ffmaShare, limits.ffmaShare, percent);
  most('the overhead for each FFMA of the main loop', loop?.overheadPerFfma, limits.overheadPerFfma, (n) =>
    n.toFixed(3),
  );
  least(
    'the share of FFMAs that accumulate in place',
    loop && loop.inPlace / loop.ffma,
    limits.inPlaceShare,
    percent,
  );
  most(
    'the share of FFMAs that read three fresh registers or two of one bank',
    loop && slow !== undefined ? slow / loop.ffma : undefined,
    limits.slowReadsShare,
    percent,
  );
  most('the number of FFMAs with a bank conflict', loop?.bankConflicts, limits.bankConflicts, String);
  least('the least distance from an LDS to its use', loop?.ldsToUse?.least, limits.ldsToUse, String);
  most('the number of accesses to local memory', local, limits.local ?? 0, String);
  return broken;
}
