import { CTX, QUAD } from '../layout.js';
import type { LaunchRecord, SlotLayout } from './launch-record.js';

/**
 * Writes what stays the same in a slot for a whole launch: where its memories lie, and which thread each lane is.
 *
 * @param ctx where the slot's context record lies, in bytes
 * @param stateBytes from one group of lanes to the next
 */
export function writeHeaders(
  i32: Int32Array,
  ctx: number,
  stateBytes: number,
  layout: SlotLayout,
  launch: LaunchRecord,
  worker: number,
): void {
  const set = (field: number, value: number) => {
    i32[(ctx + field) >> 2] = value;
  };
  for (let axis = 0; axis < 3; axis++) set(CTX.nctaid + 4 * axis, launch.grid[axis]!);
  set(CTX.nsmid, launch.smCount);
  set(CTX.params, launch.params);
  set(CTX.shared, ctx + layout.shared);
  set(CTX.copyPitch, layout.copyPitch);
  set(CTX.race, ctx + layout.race);
  set(CTX.racePitch, layout.racePitch);
  set(CTX.raceSuspects, 0);
  set(CTX.sharedShadow, ctx + layout.sharedShadow);
  set(CTX.sharedBytes, launch.sharedBytes);
  set(CTX.local, ctx + layout.local);
  set(CTX.localShadow, ctx + layout.localShadow);
  set(CTX.localBytes, launch.localBytes);
  set(CTX.blockCounts, launch.counts[worker] ?? 0);
  const [bx, by] = launch.block;
  for (let group = 0; group < layout.quads; group++) {
    const state = (ctx + layout.states + group * stateBytes) >> 2;
    for (let lane = 0; lane < 4; lane++) {
      const linear = 4 * group + lane;
      i32[state + QUAD.tidX / 4 + lane] = linear % bx;
      i32[state + QUAD.tidY / 4 + lane] = Math.floor(linear / bx) % by;
      i32[state + QUAD.tidZ / 4 + lane] = Math.floor(linear / (bx * by));
    }
    i32[state + QUAD.linear / 4] = 4 * group;
  }
}
