import { expect, test } from 'vitest';
import { QUAD } from '../layout.js';
import { expandLanes, gatherLanes } from './register-areas.js';

test("registers go from where four lanes keep them to each lane's own place, and back", () => {
  const buffer = new ArrayBuffer(512);
  const views = { i32: new Int32Array(buffer), i64: new BigInt64Array(buffer), u8: new Uint8Array(buffer) };
  const areaBytes = 96;
  const vector = QUAD.registers;
  const lanes = vector + areaBytes;
  // 32 bits that differ; 32 bits that step; 64 bits that differ; 64 bits that step.
  views.i32.set([10, -20, 30, 40, 0x7fffffff], vector / 4);
  views.i64.set([1n, -2n, 2n ** 40n, 4n, -1n], (vector + 32) / 8);
  expandLanes(views, 0, areaBytes, [
    { offset: 0, wide: false, stride: undefined },
    { offset: 16, wide: false, stride: 1 },
    { offset: 32, wide: true, stride: undefined },
    { offset: 64, wide: true, stride: 3 },
  ]);
  expect([...views.i32.subarray(lanes / 4, lanes / 4 + 8)]).toEqual([
    10, -20, 30, 40, 0x7fffffff, -0x80000000, -0x7fffffff, -0x7ffffffe,
  ]);
  expect([...views.i64.subarray((lanes + 32) / 8, (lanes + 96) / 8)]).toEqual([
    1n,
    -2n,
    2n ** 40n,
    4n,
    -1n,
    2n,
    5n,
    8n,
  ]);
  views.i32[lanes / 4 + 2] = 99;
  gatherLanes(views, 0, areaBytes);
  expect([...views.i32.subarray(vector / 4, vector / 4 + 4)]).toEqual([10, -20, 99, 40]);
});
