/** Where long work stands. */
export interface Step {
  readonly done: number;
  readonly total: number;
  /** What is being done now. */
  readonly label: string;
  /** The time that the rest takes, in ms, where that can be told better than by steps alone. */
  readonly leftMs?: number | undefined;
}

export type OnStep = (step: Step) => void;
