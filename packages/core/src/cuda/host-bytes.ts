/**
 * The bytes of a view of host memory.
 * @throws TypeError where its memory is detached, or could be resized while a copy is in flight
 */
export function hostBytes(view: ArrayBufferView): Uint8Array {
  if ((view.buffer as { resizable?: boolean }).resizable === true) {
    throw new TypeError(
      'The array is resizable: its memory could go while it is copied. Use one of fixed length.',
    );
  }
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
