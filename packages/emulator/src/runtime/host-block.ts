import { CTX, QUAD } from '../layout.js';
import { placeSuffix } from '../ptx/kernel-place.js';
import type { SiteInfo, TranslatedKernel } from '../translate/translated-kernel.js';
import type { AgentRaces, Issuer } from './agent-races.js';
import { type FaultKind, type FaultRecord, KernelFault } from './fault-record.js';
import type { RaceClock } from './race-clock.js';

/** How a launch is run, as far as copies in bulk go. */
export interface HostMode {
  /** Whether the shadow is kept. */
  readonly checks: boolean;
  /** Copies land when they are issued, not when they are waited for. */
  readonly early: boolean;
  /** Whether threads must have waited for what they have started. */
  readonly awaited: boolean;
}

/** A resident block, for what the host does for it: its memory, its threads, and what the race check knows of it. */
export class HostBlock {
  /** Its context record. */
  readonly ctx: number;
  readonly views: { readonly i32: Int32Array; readonly u8: Uint8Array };
  readonly mode: HostMode;
  readonly clock: RaceClock | undefined;
  readonly races: AgentRaces | undefined;
  /** Where the header of a thread's group lies. */
  readonly stateOf: (thread: number) => number;
  readonly #kernel: Pick<TranslatedKernel, 'sites'>;

  constructor(
    ctx: number,
    kernel: Pick<TranslatedKernel, 'sites'>,
    views: HostBlock['views'],
    mode: HostMode,
    clock: RaceClock | undefined,
    races: AgentRaces | undefined,
    stateOf: (thread: number) => number,
  ) {
    this.ctx = ctx;
    this.#kernel = kernel;
    this.views = views;
    this.mode = mode;
    this.clock = clock;
    this.races = races;
    this.stateOf = stateOf;
  }

  field(offset: number): number {
    return this.views.i32[(this.ctx + offset) >> 2]!;
  }

  /** Something has changed that a thread may wait for. */
  progress(): void {
    this.views.i32[(this.ctx + CTX.progress) >> 2]!++;
  }

  /** Marks a run of shared memory in the shadow, where one is kept. */
  mark(from: number, bytes: number, shadow: number): void {
    if (!this.mode.checks) return;
    const start = this.field(CTX.sharedShadow) + (from >> 2);
    this.views.u8.fill(shadow, start, start + bytes / 4);
  }

  site(site: number): SiteInfo {
    return this.#kernel.sites[site]!;
  }

  line(site: number): string {
    const { line, source } = this.site(site);
    return `PTX line ${line}${placeSuffix(source)}`;
  }

  /** @param more e.g. the address, and the access that it is about */
  fault(
    kind: FaultKind,
    { site, thread }: Issuer,
    note: string | undefined,
    more: Partial<FaultRecord> = {},
  ): KernelFault {
    const { i32 } = this.views;
    const tid = (offset: number) => i32[((this.stateOf(thread) + offset) >> 2) + (thread & 3)]!;
    return new KernelFault({
      kind,
      block: [this.field(CTX.ctaid), this.field(CTX.ctaid + 4), this.field(CTX.ctaid + 8)],
      thread: [tid(QUAD.tidX), tid(QUAD.tidY), tid(QUAD.tidZ)],
      site: this.site(site),
      ...(note === undefined ? {} : { note }),
      ...more,
    });
  }
}
