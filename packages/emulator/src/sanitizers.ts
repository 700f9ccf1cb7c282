/** What a device looks for while kernels run. */
export interface Sanitizers {
  /** Addresses that no open buffer has: outside of all, in a guard band, or of a buffer that was closed. */
  readonly memcheck: boolean;
  /**
   * Two threads of a block that touch one word of shared memory, one of them to write, with nothing in between;
   * `'global'`: also two blocks and one word of global memory, for which all blocks run on one worker.
   */
  readonly racecheck: boolean | 'global';
  /** Reads of memory that nothing has written: global, shared and local. */
  readonly initcheck: boolean;
  /** Asynchronous copies that a thread has not waited for when it exits. Barriers that can never open always stop a kernel. */
  readonly synccheck: boolean;
}

export const SANITIZER_NAMES = ['memcheck', 'racecheck', 'initcheck', 'synccheck'] as const;

/** All of them, or none. */
export const allSanitizers = (on: boolean): Sanitizers => ({
  memcheck: on,
  racecheck: on,
  initcheck: on,
  synccheck: on,
});

/** Whether code must keep the shadow: which bytes belong to somebody, hold a value, or are on their way. */
export const keepsShadow = ({ memcheck, racecheck, initcheck }: Sanitizers): boolean =>
  memcheck || racecheck !== false || initcheck;

/** Whether races between blocks are looked for. */
export const looksBetweenBlocks = (sanitizers: Sanitizers | undefined): boolean =>
  sanitizers?.racecheck === 'global';
