/** What the `ffma` command ends with. This is the one place that says so; help and documentation are held to it. */
export const exitCodes = {
  right: { code: 0, meaning: 'all that was asked for was done, and is right' },
  wrong: { code: 1, meaning: 'something failed, is wrong, or is slower than it may be' },
  usage: { code: 2, meaning: 'wrong usage: what was asked for cannot be understood or does not exist' },
  interrupted: { code: 130, meaning: 'interrupted by Ctrl-C; what was measured is kept' },
} as const;

export const RIGHT = exitCodes.right.code;
export const WRONG = exitCodes.wrong.code;
export const USAGE = exitCodes.usage.code;
export const INTERRUPTED = exitCodes.interrupted.code;
