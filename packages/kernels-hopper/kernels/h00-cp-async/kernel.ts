import { defineKernel, type MachineCodeLimits } from '@ffma/core';
import { blockPerTile, groupOfRows, namedIds, taggedSymbol } from '@ffma/core/tiles';
import { type CopiedRing, copiedRingFigures, copiedRingRules } from '../parts/copied-ring.js';
import { patchOrders } from '../parts/k-major.js';

const variants = {
  '256x128_s4': { STAGES: 4, LOCKSTEP: 1 },
  '128x128': { BM: 128, WN: 32, TN: 8, STAGES: 4, LOCKSTEP: 1 },
};

/** As of the kernels whose tiles come by themselves, less what the copies take in the loop. */
function machineCode(p: CopiedRing & { readonly TAGGED: boolean }): MachineCodeLimits | undefined {
  if (!p.TAGGED || p.ORDER !== patchOrders.indexOf('even_turns')) return undefined;
  const shares =
    p.TM * p.TN >= 128
      ? { ffmaShare: 0.92, slowReadsShare: 0.03 }
      : { ffmaShare: 0.89, slowReadsShare: 0.06 };
  return { ...shares, inPlaceShare: 1, ldsToUse: 24 };
}

export const h00 = defineKernel({
  name: 'h00',
  slug: 'cp-async',
  basedOn: 'k12',
  change: 'A is copied 16 bytes at a time, under a swizzle, and read along k, four steps at a time.',
  lesson:
    'Who does not transpose A while it is copied has an eighth of the copies, on any GPU of sm_80 and newer.',
  source: new URL('./kernel.cu', import.meta.url),
  params: {
    BM: 256,
    BN: 128,
    WM: 64,
    WN: 64,
    TM: 8,
    TN: 16,
    STEPS: 16,
    STAGES: 6,
    LOCKSTEP: 2,
    GROUP_M: 8,
    ORDER: patchOrders.indexOf('even_turns'),
    TAGGED: true,
  },
  derive: copiedRingFigures,
  rules: [...copiedRingRules, groupOfRows],
  symbolTag: taggedSymbol,
  needs: () => ({ alignment: 16 }),
  plan: (problem, p) => blockPerTile(problem, p, copiedRingFigures(p)),
  variants,
  ids: namedIds('h00', '256x128', Object.keys(variants)),
  search: { STEPS: [16, 32], LOCKSTEP: [1, 2], TAGGED: [false, true], GROUP_M: [4, 8, 16] },
  exactness: 'k-order',
  claims: [
    {
      sentence: "As many bytes come by less than a third of the base's requests",
      at: { m: 256, n: 128, k: 128 },
      holds: (own, base) =>
        base === undefined ||
        (3 * own.value('global.load.requests') < base.value('global.load.requests') &&
          own.value('global.load.bytesRequested') === base.value('global.load.bytesRequested')),
    },
    {
      sentence: 'Nothing in shared memory meets in a bank',
      at: { m: 256, n: 128, k: 128 },
      holds: (own) => own.value('shared.bankConflicts') === 0,
    },
  ],
  machineCode,
});
