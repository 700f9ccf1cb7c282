import type { Edit } from '../../../../scripts/emulator/mutant-package.js';

/** k03's last statement. */
export const STORE =
  'if (row < m && col < n) ffma::store_scaled(c + ffma::element_offset(row, col, ldc), acc, alpha, beta);';

/** A statement ahead of the store, where `acc` is complete. */
export const beforeStore = (statement: string): Edit => ['  // Store.', `  ${statement}\n  // Store.`];

/** A statement ahead of the loop over k, where `row` and `col` are known. */
export const beforeLoop = (statement: string): Edit => [
  '  float acc = 0.0f;',
  `  ${statement}\n  float acc = 0.0f;`,
];

/** The barrier between writing the tiles and reading them. */
export const FIRST_BARRIER = 'a_at += P::BK;\n    b_at += b_chunk;\n    __syncthreads();';

/** The barrier between reading the tiles and writing the next ones. */
export const SECOND_BARRIER = '    __syncthreads();\n  }\n';
