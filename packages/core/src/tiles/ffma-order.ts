import type { Rule } from '../gemm/kernel-definition.js';

/** The orders of `outer_product_in`, by their numbers in the device header: a snake turns round at each end. */
export const ffmaOrders = ['rows', 'columns', 'snake_rows', 'snake_columns'] as const;

/** FFMA_ORDER by name, for variants. */
export const ffmaOrder = (name: (typeof ffmaOrders)[number]): number => ffmaOrders.indexOf(name);

/** FFMA_ORDER is one of those that exist. */
export const knownOrder: Rule<{ readonly FFMA_ORDER: number }> = {
  sentence: `FFMA_ORDER is one of ${ffmaOrders.map((name, i) => `${i} (${name})`).join(', ')}`,
  holds: ({ FFMA_ORDER }) => ffmaOrders[FFMA_ORDER] !== undefined,
};
