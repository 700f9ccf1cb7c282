/**
 * What the machine code of a variant must be like, so that a compiler that does worse is noticed. What is absent is not
 * asked. Shares are of 1.
 */
export interface MachineCodeLimits {
  /** Least share of FFMAs in the main loop. */
  readonly ffmaShare?: number;
  /** Most other instructions for each FFMA of the main loop. */
  readonly overheadPerFfma?: number;
  /** Least share of the loop's FFMAs that accumulate in place. */
  readonly inPlaceShare?: number;
  /** Most share of the loop's FFMAs that read three fresh registers, or two of one bank. */
  readonly slowReadsShare?: number;
  /** Most FFMAs of the loop with a bank conflict. */
  readonly bankConflicts?: number;
  /** Least number of instructions from an LDS to the first use of what it loads. */
  readonly ldsToUse?: number;
  /** Most loads and stores of local memory in the function. Default 0. */
  readonly local?: number;
}
