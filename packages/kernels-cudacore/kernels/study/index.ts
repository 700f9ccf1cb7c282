import type { DefinedKernel } from '@ffma/core';
import { blocktiling1dV0 } from './blocktiling-1d-v0/kernel.js';
import { blocktiling1dV1 } from './blocktiling-1d-v1/kernel.js';
import { blocktiling1dV2 } from './blocktiling-1d-v2/kernel.js';
import { blocktiling1dV3 } from './blocktiling-1d-v3/kernel.js';
import { blocktiling2d } from './blocktiling-2d/kernel.js';
import { blocktiling2dVec4V0 } from './blocktiling-2d-vec4-v0/kernel.js';
import { blocktiling2dVec4V1 } from './blocktiling-2d-vec4-v1/kernel.js';
import { naiveCol } from './naive-col/kernel.js';
import { naiveRow } from './naive-row/kernel.js';
import { smemTiling } from './smem-tiling/kernel.js';
import { warptilingV0 } from './warptiling-v0/kernel.js';
import { warptilingV1 } from './warptiling-v1/kernel.js';
import { warptilingV2 } from './warptiling-v2/kernel.js';
import { warptilingV3 } from './warptiling-v3/kernel.js';
import { warptilingV4 } from './warptiling-v4/kernel.js';
import { warptilingV5 } from './warptiling-v5/kernel.js';
import { warptilingV6 } from './warptiling-v6/kernel.js';
import { warptilingV7 } from './warptiling-v7/kernel.js';
import { warptilingV8 } from './warptiling-v8/kernel.js';
import { warptilingV9 } from './warptiling-v9/kernel.js';
import { warptilingV10 } from './warptiling-v10/kernel.js';
import { warptilingV11 } from './warptiling-v11/kernel.js';

/** The study family, in the order of its table, each after its base. */
export const study: readonly DefinedKernel[] = [
  naiveRow,
  naiveCol,
  smemTiling,
  blocktiling1dV0,
  blocktiling1dV1,
  blocktiling1dV2,
  blocktiling1dV3,
  blocktiling2d,
  blocktiling2dVec4V0,
  blocktiling2dVec4V1,
  warptilingV0,
  warptilingV1,
  warptilingV2,
  warptilingV3,
  warptilingV4,
  warptilingV5,
  warptilingV6,
  warptilingV7,
  warptilingV8,
  warptilingV9,
  warptilingV10,
  warptilingV11,
];

export {
  blocktiling1dV0,
  blocktiling1dV1,
  blocktiling1dV2,
  blocktiling1dV3,
  blocktiling2d,
  blocktiling2dVec4V0,
  blocktiling2dVec4V1,
  naiveCol,
  naiveRow,
  smemTiling,
  warptilingV0,
  warptilingV1,
  warptilingV2,
  warptilingV3,
  warptilingV4,
  warptilingV5,
  warptilingV6,
  warptilingV7,
  warptilingV8,
  warptilingV9,
  warptilingV10,
  warptilingV11,
};
