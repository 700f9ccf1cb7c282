import { expect, test } from 'vitest';
import { counterNamed, higherIsBetter } from './figures.js';

test('counters are named with or without dots, in any case', () => {
  expect(counterNamed('overheadPerFfma')).toBe('overhead.perFfma');
  expect(counterNamed('overhead.perFfma')).toBe('overhead.perFfma');
  expect(counterNamed('ffmashare')).toBe('ffma.share');
  expect(() => counterNamed('overhed.perFfma')).toThrow(
    /no counter 'overhed\.perFfma'\. There are overhead\.perFfma/,
  );
});

test('less is better, but of the share of FFMAs and of work for each byte', () => {
  expect(['overhead.perFfma', 'shared.bankConflicts', 'global.bytes'].some(higherIsBetter)).toBe(false);
  expect(['ffma.share', 'flop.perGlobalByte'].every(higherIsBetter)).toBe(true);
});
