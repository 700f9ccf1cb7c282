import { describe, expect, it } from 'vitest';
import { firstError, parseResources, portableLog } from './log.js';

describe('portableLog', () => {
  it('drops the folder, written out or as a dot', () => {
    const log = '/tmp/ffma-1/entry.cu:1:\n./k/kernel.cu:2: error\nsee "./a.cuh", not ../b\n';
    expect(portableLog(log, '/tmp/ffma-1')).toBe('entry.cu:1:\nk/kernel.cu:2: error\nsee "a.cuh", not ../b');
  });
});

describe('firstError', () => {
  it('finds the first error among warnings and notes', () => {
    const log =
      'In file included from entry.cu:1:\nkernel.cu:3:5: warning: unused\nkernel.cu:9:1: error: no x\nother error: y';
    expect(firstError(log)).toBe('kernel.cu:9:1: error: no x');
  });

  it("understands nvcc's form", () => {
    expect(firstError('\nkernel.cu(12): error: class "P" has no member "BMX"\n\n1 error detected')).toBe(
      'kernel.cu(12): error: class "P" has no member "BMX"',
    );
  });

  it('falls back to the first line, and to saying that there is none', () => {
    expect(firstError('sh: nothing found\nmore')).toBe('sh: nothing found');
    expect(firstError(' \n')).toBe('it said nothing.');
  });
});

describe('parseResources', () => {
  const log = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'one' for 'sm_90'
ptxas info    : Function properties for one
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 8192 bytes smem
ptxas info    : Compiling entry function 'two' for 'sm_90'
ptxas info    : Function properties for two
    24 bytes stack frame, 20 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 24 bytes cumulative stack size`;

  it('reads registers, shared memory and spills of each kernel', () => {
    expect(parseResources(log)).toEqual({
      one: { registers: 32, sharedBytes: 8192, spillBytes: 0 },
      two: { registers: 255, sharedBytes: 0, spillBytes: 48 },
    });
  });

  it('finds nothing in other text', () => {
    expect(parseResources('warning: nothing to see')).toEqual({});
  });
});
