import type { Device } from '@ffma/core';
import type { Leak } from '@ffma/emulator';
import { expect, test } from 'vitest';
import { leaksOf } from './leaks.js';

const holding = (open: readonly Leak[]) => ({ leaks: () => open }) as unknown as Device;

test('what is open is put in words', async () => {
  const open: Leak[] = [
    { kind: 'buffer', name: 'buffer 3', byteLength: 400, at: 'main (app.js:7:20)' },
    { kind: 'module', name: 'k03.ptx', byteLength: 1 },
  ];
  expect(await leaksOf(holding(open))).toEqual([
    'buffer 3 (400 bytes), allocated at main (app.js:7:20)',
    'k03.ptx (1 byte)',
  ]);
});

test('nothing is said where nothing is open, or where no account is kept', async () => {
  expect(await leaksOf(holding([]))).toEqual([]);
  expect(await leaksOf({} as Device)).toEqual([]);
});
