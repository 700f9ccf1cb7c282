import { figure as number, percent } from '../render/numbers.js';

/** A counter that people read: how it is named, shown and spoken of. */
export interface Figure {
  /** Name in a row's counters. */
  readonly name: string;
  /** Column title. */
  readonly title: string;
  /** What a reader needs to understand the title. */
  readonly meaning: string;
  readonly format: (value: number | null | undefined) => string;
  /** Verb and object of a sentence; the kernel is its subject. */
  readonly says: { readonly verb: string; readonly of: string };
}

/** Figures of the counter table, in the order of its columns. */
export const figures: readonly Figure[] = [
  {
    name: 'instructions.total',
    title: 'instr.',
    meaning: 'instructions executed, summed over threads',
    format: number,
    says: { verb: 'executes', of: 'instructions' },
  },
  {
    name: 'ffma.share',
    title: 'FFMA',
    meaning: 'share of them that are FFMAs',
    format: percent,
    says: { verb: 'has', of: 'FFMAs an instruction' },
  },
  {
    name: 'overhead.perFfma',
    title: 'other/FFMA',
    meaning: 'other instructions for each FFMA',
    format: number,
    says: { verb: 'spends', of: 'other instructions per FFMA' },
  },
  {
    name: 'global.load.sectorsPerRequest',
    title: 'sect./load',
    meaning: '32-byte sectors that a warp touches with one global load',
    format: number,
    says: { verb: 'touches', of: 'sectors per load request' },
  },
  {
    name: 'global.store.sectorsPerRequest',
    title: 'sect./store',
    meaning: 'the same with one store',
    format: number,
    says: { verb: 'moves', of: 'sectors per store request' },
  },
  {
    name: 'flop.perGlobalByte',
    title: 'FLOP/byte',
    meaning: 'floating-point operations for each byte of those sectors',
    format: number,
    says: { verb: 'does', of: 'FLOP per byte of global traffic' },
  },
];

/** Figures that sentences speak of: those of the table, and one that it has no room for. */
export const spokenFigures: readonly Pick<Figure, 'name' | 'format' | 'says'>[] = [
  ...figures,
  { name: 'global.load.requests', format: number, says: { verb: 'makes', of: 'global load requests' } },
];
