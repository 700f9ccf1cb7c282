/** Where long work stands. */
export interface Step {
  readonly done: number;
  readonly total: number;
  /** What is being done now. */
  readonly label: string;
}

export type OnStep = (step: Step) => void;
