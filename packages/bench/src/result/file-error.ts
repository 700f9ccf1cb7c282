import { UsageError } from '../usage-error.js';

/** A result file cannot be read or used; the message names the file, and the field where there is one. */
export class ResultFileError extends UsageError {}
