import type { Claim, CounterFacts } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import { JsGemm } from '../test-support/js-gemm.js';
import { kernel } from '../test-support/js-kernels.js';
import { type ClaimingGemm, checkClaims } from './check-claims.js';

const at = { m: 64, n: 64, k: 64 };
const sectors = 'global.store.sectorsPerRequest';

function claiming(name: string, claims: readonly Claim[]): ClaimingGemm {
  const gemm = new JsGemm(kernel(), { name });
  return Object.assign(gemm, { definition: { claims } });
}

const facts = (values: Record<string, number>): CounterFacts => ({
  value: (name) => {
    const found = values[name];
    if (found === undefined) throw new RangeError(`There is no counter '${name}'.`);
    return found;
  },
});

const coalesced: Claim = {
  sentence: 'C stores fill their sectors',
  at,
  holds: (own) => own.value(sectors) === 4,
};
const fewer: Claim = {
  sentence: 'It stores fewer sectors than its base',
  at,
  holds: (own, base) => base !== undefined && own.value(sectors) < base.value(sectors),
};

describe('claims', () => {
  const base = claiming('base', []);
  const counters: Record<string, number> = { js: 4, base: 32 };
  const countersOf = async (gemm: { id: string }) => facts({ [sectors]: counters[gemm.id]! });

  test('a claim that holds shows the counters it looked at, its base’s beside', async () => {
    const results = await checkClaims(claiming('js', [coalesced, fewer]), { countersOf, base });
    expect(results.map((r) => r.passed)).toEqual([true, true]);
    expect(results[1]).toMatchObject({ kernel: 'js', own: { [sectors]: 4 }, base: { [sectors]: 32 } });
    expect(results[1]!.sentence).toBe(
      `It stores fewer sectors than its base holds at 64×64×64 (js: ${sectors} = 4; base: ${sectors} = 32).`,
    );
  });

  test('a claim that does not hold fails, with figures', async () => {
    const [result] = await checkClaims(claiming('base', [coalesced]), { countersOf });
    expect(result).toMatchObject({ passed: false, own: { [sectors]: 32 } });
    expect(result!.sentence).toMatch(/does not hold at 64×64×64 \(base: .* = 32\)/);
  });

  test('NaN, an unknown counter and a device that fails break a claim', async () => {
    const under: Claim = { sentence: 'Under five', at, holds: (own) => own.value(sectors) <= 5 };
    const [nan] = await checkClaims(claiming('js', [under]), {
      countersOf: async () => facts({ [sectors]: Number.NaN }),
    });
    expect(nan).toMatchObject({ passed: false, own: { [sectors]: 'NaN' } });
    const [unknown] = await checkClaims(claiming('js', [under]), { countersOf: async () => facts({}) });
    expect(unknown).toMatchObject({ passed: false, error: { name: 'RangeError' } });
    const [broken] = await checkClaims(claiming('js', [under]), {
      countersOf: () => Promise.reject(new Error('no device')),
    });
    expect(broken!.sentence).toBe('Under five could not be checked: no device');
  });

  test('counters are taken once for each kernel and size', async () => {
    const asked: string[] = [];
    const larger = { ...coalesced, at: { m: 128, n: 128, k: 128 } };
    await checkClaims(claiming('js', [coalesced, fewer, larger]), {
      base,
      countersOf: (gemm, { m }) => {
        asked.push(`${gemm.id} ${m}`);
        return countersOf(gemm);
      },
    });
    expect(asked).toEqual(['js 64', 'base 64', 'js 128', 'base 128']);
  });
});
