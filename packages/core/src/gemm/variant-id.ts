import { ArgumentError } from '../errors.js';
import type { Params, SymbolTag } from './kernel-definition.js';

/**
 * Short spelling of a parameter inside an id: `BM` → `bm`, `STAGES` → `s`, `PREFETCH: true` → `prefetch`.
 * A boolean that is off is written `no-…` without the dash: `noprefetch`.
 */
function spell(name: string, value: number | boolean): string {
  const word = name === 'STAGES' ? 's' : name.toLowerCase().replaceAll('_', '');
  if (typeof value === 'boolean') return value ? word : `no${word}`;
  if (!Number.isInteger(value))
    throw new ArgumentError(`Parameter ${name} must be an integer, but is ${value}.`);
  return value < 0 ? `${word}m${-value}` : `${word}${value}`;
}

/** The one id of a parameter set: kernel name, then every parameter in declared order. */
export function variantId(name: string, params: Params): string {
  return [name, ...Object.entries(params).map(([key, value]) => spell(key, value))].join('_');
}

/**
 * Device symbol of an entry: the variant's id, its kernel's symbol tag, and the entry's name unless `main`; hyphens,
 * which a C symbol cannot have, become underscores.
 */
export function symbolOf(
  { symbolTag }: { readonly symbolTag?: SymbolTag<Params> },
  { id, params }: { readonly id: string; readonly params: Params },
  entry = 'main',
): string {
  const tag = typeof symbolTag === 'function' ? symbolTag(params) : symbolTag;
  return [id, tag, entry === 'main' ? '' : entry].filter(Boolean).join('_').replaceAll('-', '_');
}
