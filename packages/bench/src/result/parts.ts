import { z } from 'zod';

export const count = z.number().int().nonnegative();
export const name = z.string().min(1);
export const positive = z.number().positive();

/** Points to a row, or a kernel, by what is unique at one size. */
export const variantRef = z.object({ id: name, package: name });
