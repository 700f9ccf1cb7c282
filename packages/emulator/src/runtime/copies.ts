import { COPY_PLANE, COPY_SITE_MASK, COPY_SITE_SHIFT, COPY_THREAD_BITS, CTX, QUAD } from '../layout.js';
import { placeSuffix } from '../ptx/kernel-place.js';
import type { CodePoint, TranslatedKernel } from '../translate/translated-kernel.js';
import type { Views } from './block-runner.js';
import { KernelFault } from './fault-record.js';
import type { LaunchRecord, SlotLayout } from './launch-record.js';

/** Clears what a slot remembers of the asynchronous copies of the block before. */
export function resetCopies(
  { i32, u8 }: Views,
  ctx: number,
  stateBytes: number,
  layout: SlotLayout,
  launch: LaunchRecord,
): void {
  const { shared, states, quads, copyPitch } = layout;
  for (const plane of [COPY_PLANE.flight, COPY_PLANE.landed]) {
    const start = ctx + shared + plane * copyPitch;
    u8.fill(0, start, start + launch.sharedBytes);
  }
  for (let group = 0; group < quads; group++) {
    const state = (ctx + states + group * stateBytes) >> 2;
    i32.fill(0, state + QUAD.copyHead / 4, state + QUAD.race / 4);
  }
}

/** Lanes that exit must have waited for their copies. @throws KernelFault */
export function checkLanded(
  i32: Int32Array,
  kernel: Pick<TranslatedKernel, 'sites'>,
  ctx: number,
  state: number,
  lanes: readonly number[],
): void {
  const field = (offset: number) => i32[(ctx + offset) >> 2]!;
  for (const lane of lanes) {
    const head = i32[((state + QUAD.copyHead) >> 2) + lane]!;
    if (head === 0) continue;
    const flight = field(CTX.shared) + COPY_PLANE.flight * field(CTX.copyPitch);
    const at = siteOf(kernel, i32[(flight >> 2) + head - 1]!);
    const tid = (offset: number) => i32[((state + offset) >> 2) + lane]!;
    throw new KernelFault({
      kind: 'copy-never-awaited',
      block: [field(CTX.ctaid), field(CTX.ctaid + 4), field(CTX.ctaid + 8)],
      thread: [tid(QUAD.tidX), tid(QUAD.tidY), tid(QUAD.tidZ)],
      ...(at === undefined ? {} : { at }),
      note: `${4 * (head - 1)} of shared memory`,
    });
  }
}

const siteOf = (kernel: Pick<TranslatedKernel, 'sites'>, entry: number): CodePoint | undefined =>
  kernel.sites[(entry >>> COPY_SITE_SHIFT) & COPY_SITE_MASK];

/** The copy in flight that a byte of shared memory belongs to, as a sentence. */
export function copyThere(
  i32: Int32Array,
  kernel: Pick<TranslatedKernel, 'sites'>,
  shared: number,
  pitch: number,
  byte: number,
): { readonly thread: number; readonly issued: string } {
  const word = byte >> 2;
  const thread = i32[((shared + COPY_PLANE.owner * pitch) >> 2) + word]! & ((1 << COPY_THREAD_BITS) - 1);
  // The entry is at the copy's first word, which is aligned to its size: at most three words before.
  for (let first = word; first >= 0 && first > word - 4; first--) {
    const entry = i32[((shared + COPY_PLANE.flight * pitch) >> 2) + first]!;
    if (entry === 0) continue;
    const site = siteOf(kernel, entry);
    return {
      thread,
      issued: site === undefined ? '' : `, issued at PTX line ${site.line}${placeSuffix(site.source)}`,
    };
  }
  return { thread, issued: '' };
}
