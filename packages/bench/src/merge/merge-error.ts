import { UsageError } from '../usage-error.js';

/** Results that do not go together; the message names the files, and in what they differ. */
export class MergeError extends UsageError {}

/** A result, and the file it came from. */
export interface Named<Result> {
  readonly from: string;
  readonly result: Result;
}
