import { describe, expect, it } from 'vitest';
import { symbolOf, variantId } from './variant-id.js';

describe('variantId', () => {
  it('spells every parameter in declared order', () => {
    expect(variantId('k11', { BM: 128, BN: 64, TM: 8, STAGES: 3 })).toBe('k11_bm128_bn64_tm8_s3');
  });

  it('spells booleans both ways, joins words and marks negative numbers', () => {
    expect(variantId('k', { PREFETCH: true, REMAP_B: false, SHIFT: -2 })).toBe('k_prefetch_noremapb_shiftm2');
  });

  it('is the name alone without parameters', () => {
    expect(variantId('k01', {})).toBe('k01');
  });

  it('refuses fractions', () => {
    expect(() => variantId('k', { BM: 0.5 })).toThrow(/Parameter BM must be an integer, but is 0\.5/);
  });
});

describe('symbolOf', () => {
  it('is the id, with the tag and the entry where they say something', () => {
    const variant = (id: string) => ({ id, params: {} });
    expect(symbolOf({}, variant('k14_bm128'))).toBe('k14_bm128');
    expect(symbolOf({ symbolTag: 'cutlass' }, variant('v10'))).toBe('v10_cutlass');
    expect(symbolOf({ symbolTag: 'cutlass' }, variant('v10'), 'zero')).toBe('v10_cutlass_zero');
  });

  it('has the tag that the parameters ask for, or none', () => {
    const symbolTag = ({ TAG }: { TAG: boolean }) => (TAG ? 'cutlass' : '');
    expect(symbolOf({ symbolTag }, { id: 'v11_tag', params: { TAG: true } })).toBe('v11_tag_cutlass');
    expect(symbolOf({ symbolTag }, { id: 'v11_notag', params: { TAG: false } })).toBe('v11_notag');
  });
});
