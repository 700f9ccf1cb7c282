/** Bytes that copies in bulk are made of. */
export const BULK_PIECE = 16;
