/**
 * The bytes of a view of host memory.
 * @throws TypeError where its memory is detached, or could be resized while a copy is in flight
 */
export function hostBytes(view: ArrayBufferView): Uint8Array {
  const { buffer, byteOffset, byteLength } = view;
  if ((buffer as { resizable?: boolean }).resizable === true) {
    throw new TypeError(
      'The array is resizable: its memory could go while it is copied. Use one of fixed length.',
    );
  }
  try {
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (cause) {
    throw new TypeError('The array is detached: its memory was transferred elsewhere.', { cause });
  }
}
