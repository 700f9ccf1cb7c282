import type { Table } from '../../render/table.js';
import type { Block } from '../model.js';

/** A table, unless it has no rows. */
export const table = (caption: string, of: Table | undefined): Block[] =>
  of === undefined || of.rows.length === 0 ? [] : [{ kind: 'table', caption, table: of }];

/** A list, unless it is empty. */
export const list = (items: readonly string[]): Block[] =>
  items.length === 0 ? [] : [{ kind: 'list', items }];
