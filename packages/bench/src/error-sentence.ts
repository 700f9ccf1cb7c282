/** Anything thrown, as text for a person: the message without the stack. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True for errors of any copy of core: asked by shape, because a kernel package may bring its own. */
export function hasFfmaCode(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('FFMA_')
  );
}
