import { z } from 'zod';

export const count = z.number().int().nonnegative();
export const name = z.string().min(1);
export const positive = z.number().positive();
export const share = z.number().nonnegative();
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Points to a row, or a kernel, by what is unique at one size. */
export const variantRef = z.object({ id: name, package: name });
