import { expect, test } from 'vitest';
import {
  fakeCompiler,
  modelDevice,
  refusesToCompile,
  sweepHere,
  sweptDiscovery,
} from '../test-support/swept-kernel.js';
import { plain } from './style.js';
import { renderSweep } from './sweep.js';
import { widthOf } from './text.js';

test('the table has what was pruned, what went wrong, the best of each size and the winner, in 80 columns', async () => {
  const compiler = fakeCompiler((id) => {
    if (id.startsWith('k50_bm4_')) refusesToCompile(id);
    return id === 'k50_bm8_bn4_deep' ? { spillBytes: 4 } : {};
  });
  const kernel = sweptDiscovery((id) => (id === 'k50_bm8_bn8_deep' ? { error: 1 } : {}));
  const lines = renderSweep(await sweepHere(modelDevice('a'), { compiler }, kernel), plain, 80);
  const text = lines.join('\n');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  expect(text).toContain('60 points, 18 refused by rules: 42 candidates');
  expect(text).toContain('30 right, 1 wrong, 10 do not compile, 1 spills');
  expect(text).toMatch(/wrong {2}k50_bm8_bn8_deep: /);
  expect(text).toMatch(/^BM=16 BN=32 DEEP=true +\d+\.\d /m);
  expect(text).toMatch(
    /→ Fastest: k50_bm16_bn32_deep, at 1\d\d\.\d % of lib_bm32,\s+ahead in 5 of 5\s+rounds\./,
  );
  expect(text).toMatch(/8 do not\s+take it/);
});
