import type { Size } from '../bench/sizes.js';
import type { Discovery } from '../discover/kernel-package.js';
import type { OnStep } from '../step.js';
import type { SweepCompiler } from './compile-stage.js';
import type { CasesOf } from './context.js';
import type { SweepProtocol } from './protocol.js';
import type { Shard } from './shard.js';
import type { SearchSpace } from './space.js';

export interface SweepOptions {
  readonly sizes: readonly Size[];
  /** Where the reference is looked for. */
  readonly discovery: Discovery;
  /** Replaces or adds values of parameters to those that the kernel declares; later ones win. */
  readonly space?: readonly SearchSpace[] | undefined;
  /** A part of the space. Default: all of it. */
  readonly shard?: Shard | undefined;
  /** How candidates are timed. */
  readonly protocol?: Partial<SweepProtocol> | undefined;
  /** A selector of the kernel that runs in every round. Default: the first that says it is a reference, else the swept kernel's own default variant, as with `none`. */
  readonly reference?: string | undefined;
  /** On a device that counts: the counter to rank by, as `overheadPerFfma`. Default: nothing is ranked there. */
  readonly by?: string | undefined;
  /** Compilations at a time. Default: one a core. */
  readonly jobs?: number | undefined;
  /** Default: the compile service. */
  readonly compiler?: SweepCompiler | undefined;
  /** What candidates, and finalists, have to pass. Default: the conformance cases of the level. */
  readonly cases?: CasesOf | undefined;
  /** That each of those cases may take, in ms; then the candidate is wrong and the sweep ends. Default 120 000. */
  readonly caseTimeoutMs?: number | undefined;
  /** Where the result goes, with a journal beside it while the sweep runs. Default: nothing is kept. */
  readonly file?: string | undefined;
  /** Goes on from what the file or its journal has. */
  readonly resume?: boolean | undefined;
  /** Ends the work after what is being measured; the result says that it is not whole. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
  /** Told what a person should know while it runs. */
  readonly onNote?: ((sentence: string) => void) | undefined;
}
