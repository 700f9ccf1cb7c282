import { describe, expect, it } from 'vitest';
import { ArgumentError, ClosedError, UnsupportedError } from '../errors.js';
import type { Buffer } from './buffer.js';
import type { Device } from './device.js';
import type { Kernel } from './kernel.js';
import {
  argSize,
  checkArgs,
  checkLaunch,
  type KernelArg,
  type LaunchConfig,
  type LaunchStream,
  launch,
  prepareLaunches,
} from './launch.js';
import type { DeviceLimits } from './limits.js';

const limits: DeviceLimits = {
  smCount: 1,
  warpSize: 32,
  maxThreadsPerBlock: 1024,
  maxThreadsPerSm: 2048,
  maxBlocksPerSm: 32,
  registersPerSm: 65536,
  sharedBytesPerSm: 200_000,
  sharedBytesPerBlock: 49152,
  sharedBytesPerBlockOptin: 100_000,
  sharedBytesReservedPerBlock: 1024,
  maxBlockDim: [1024, 1024, 64],
  maxGridDim: [2 ** 31 - 1, 65535, 65535],
  l2Bytes: 1,
};
const device = { limits, name: 'plain GPU' } as Device;
const other = { limits } as Device;
const buffer = { byteLength: 16, device } as Buffer;
const enqueued: unknown[] = [];
const stream = {
  device,
  enqueueLaunch: (config: LaunchConfig, kernel: Kernel, args: readonly KernelArg[]) =>
    enqueued.push([config, kernel, args]),
} as unknown as LaunchStream;
const kernel: Kernel = {
  device,
  name: 'k',
  attributes: { numRegs: 32, sharedBytes: 1000, localBytes: 0, maxThreadsPerBlock: 256 },
  paramSizes: [8, 4],
};
const args: KernelArg[] = [
  { type: 'pointer', buffer },
  { type: 'i32', value: 1 },
];

describe('checkLaunch', () => {
  const good: LaunchConfig = { grid: [1, 1, 1], block: [32, 1, 1] };
  it('takes what fits, at the limits too', () => {
    expect(() => checkLaunch(good, limits)).not.toThrow();
    expect(() =>
      checkLaunch({ grid: [2 ** 31 - 1, 65535, 65535], block: [1024, 1, 1] }, limits),
    ).not.toThrow();
    expect(() => checkLaunch({ ...good, sharedBytes: 99_000 }, limits, 1000)).not.toThrow();
    expect(() => checkLaunch({ ...good, grid: [8, 4, 2], cluster: [4, 2, 2] }, limits)).not.toThrow();
  });
  it.each([undefined, null, 5])('refuses %s as a whole', (config) => {
    expect(() => checkLaunch(config as unknown as LaunchConfig, limits)).toThrow(/needs \{ grid, block \}/);
  });
  it.each([
    [{ grid: [0, 1, 1] }, /Grid extent x must be an integer in 1\.\.2147483647, but is 0/],
    [{ grid: [1, 65536, 1] }, /Grid extent y .*65536/],
    [{ grid: [1, 1.5, 1] }, /1\.5/],
    [{ grid: [Number.NaN, 1, 1] }, /NaN/],
    [{ block: [1, 1, 65] }, /Block extent z must be an integer in 1\.\.64, but is 65/],
    [{ block: [64, 32, 1] }, /at most 1024 threads, but 64×32×1 is 2048/],
    [{ sharedBytes: -4 }, /whole number of bytes, but is -4/],
    [{ sharedBytes: 100_001 }, /at most 100000 bytes of shared memory, but 0 static and 100001 dynamic/],
    [{ sharedBytes: null }, /whole number of bytes, but is null/],
    [{ grid: 1 }, /Grid must be three extents \[x, y, z\], but is 1\./],
    [{ grid: [1, 1] }, /but is 2 of them/],
    [{ grid: ['1', 1, 1] }, /Grid extent x .* but is '1'/],
    [{ cluster: [3, 1, 1] }, /Cluster extent x must be an integer in 1\.\.1, but is 3/],
    [{ cluster: [0, 1, 1] }, /Cluster extent x .* is 0/],
    [{ cluster: [1, Number.NaN, 1] }, /Cluster extent y .* is NaN/],
    [{ cluster: 32 }, /Cluster must be three extents .* is 32/],
    [{ cluster: null }, /Cluster must be three extents .* is null/],
    [{ grid: [4, 6, 1], cluster: [2, 4, 1] }, /whole clusters, but 4×6×1 blocks are not of 2×4×1/],
    [{ grid: [32, 1, 1], cluster: [32, 1, 1] }, /at most 16 blocks, but 32×1×1 is 32/],
  ] as const)('refuses %j by name', (change, message) => {
    expect(() => checkLaunch({ ...good, ...change } as LaunchConfig, limits)).toThrow(ArgumentError);
    expect(() => checkLaunch({ ...good, ...change } as LaunchConfig, limits)).toThrow(message);
  });
});

describe('launch', () => {
  const config: LaunchConfig = { grid: [2, 1, 1], block: [256, 1, 1] };
  it('enqueues what fits', () => {
    enqueued.length = 0;
    launch(stream, config, kernel, ...args);
    expect(enqueued).toEqual([[config, kernel, args]]);
  });
  it.each([
    ['another device', { ...kernel, device: other }, config, args, /another device/],
    [
      'too many threads for the kernel',
      kernel,
      { ...config, block: [512, 1, 1] },
      args,
      /at most 256 threads a block, but got 512/,
    ],
    ['a missing argument', kernel, config, args.slice(1), /takes 2 arguments, but got 1/],
    [
      'an argument of the wrong size',
      kernel,
      config,
      [args[0], { type: 'f64', value: 1 }],
      /Argument 1 .*4 bytes, but f64 is 8/,
    ],
    [
      'an offset past the end',
      kernel,
      config,
      [{ type: 'pointer', buffer, offset: 17 }, args[1]],
      /buffer of 16 bytes, but the offset is 17/,
    ],
    [
      'a negative offset',
      kernel,
      config,
      [{ type: 'pointer', buffer, offset: -1 }, args[1]],
      /the offset is -1/,
    ],
    [
      'a buffer of another device',
      kernel,
      config,
      [{ type: 'pointer', buffer: { ...buffer, device: other } }, args[1]],
      /Argument 0 of kernel k points to a buffer of another device/,
    ],
    [
      'a closed buffer',
      kernel,
      config,
      [{ type: 'pointer', buffer: { ...buffer, closed: true } }, args[1]],
      /buffer of argument 0 of kernel k is closed/,
    ],
    [
      'a tensor map, which this device does not have',
      { ...kernel, paramSizes: [128, 4] },
      config,
      [{ type: 'tensorMap', map: { buffer, bytes: new Uint8Array(128) } }, args[1]],
      /Argument 0 of kernel k is a tensor map, which plain GPU does not take: it has no tensor memory/,
    ],
  ] as const)('refuses %s before anything is enqueued', (_, k, c, a, message) => {
    enqueued.length = 0;
    expect(() => launch(stream, c as LaunchConfig, k, ...(a as KernelArg[]))).toThrow(message);
    expect(enqueued).toEqual([]);
  });
});

describe('launch, called without TypeScript', () => {
  const config: LaunchConfig = { grid: [1, 1, 1], block: [32, 1, 1] };
  it.each([
    ['a stream', undefined, kernel, args, /needs a stream, but got undefined/],
    ['a stream', { device }, kernel, args, /needs a stream, but got an object/],
    ['a kernel', stream, undefined, args, /needs a kernel of a loaded object, but got undefined/],
    ['a kernel', stream, { device }, args, /needs a kernel .* but got an object/],
    [
      'arguments',
      stream,
      kernel,
      [undefined, args[1]],
      /Argument 0 of kernel k must be an object .* undefined/,
    ],
    ['arguments', stream, kernel, [5, args[1]], /Argument 0 .* but is 5/],
    [
      'a type',
      stream,
      kernel,
      [{ type: 'toString' }, args[1]],
      /type of argument 0 .* one of pointer, .* 'toString'/,
    ],
    ['a buffer', stream, kernel, [{ type: 'pointer' }, args[1]], /must lead to a buffer, but has undefined/],
    [
      'a map',
      stream,
      kernel,
      [{ type: 'tensorMap', map: {} }, args[1]],
      /must have a tensor map, but has an object/,
    ],
  ])('needs %s', (_, s, k, a, message) => {
    enqueued.length = 0;
    const call = () => launch(s as LaunchStream, config, k as Kernel, ...(a as KernelArg[]));
    expect(call).toThrow(ArgumentError);
    expect(call).toThrow(message);
    expect(enqueued).toEqual([]);
  });
});

describe('checkArgs', () => {
  const map = { buffer, bytes: new Uint8Array(128) };
  const mapped: Kernel = { ...kernel, paramSizes: [128] };
  const mapper = { ...device, encodeTensorMap: () => map } as Device;
  const own = { ...mapped, device: mapper };

  it('takes a tensor map where the device makes them', () => {
    const memory = { ...buffer, device: mapper } as Buffer;
    expect(() =>
      checkArgs(mapper, own, [{ type: 'tensorMap', map: { ...map, buffer: memory } }]),
    ).not.toThrow();
  });

  it('refuses it by name elsewhere', () => {
    expect(() => checkArgs(device, mapped, [{ type: 'tensorMap', map }])).toThrow(UnsupportedError);
  });

  it('calls launch and argument as it is told', () => {
    const names = { what: 'entry main of k11', args: ['A'] };
    expect(() => checkArgs(mapper, own, [{ type: 'tensorMap', map }], names)).toThrow(
      /^Argument A of entry main of k11 points to a buffer of another device/,
    );
  });
});

describe('prepareLaunches', () => {
  const config: LaunchConfig = { grid: [1, 1, 1], block: [32, 1, 1] };
  it('refuses what launch refuses', () => {
    const closed = { ...buffer, closed: true } as Buffer;
    expect(() =>
      prepareLaunches(device, [
        { config, kernel, args },
        { config, kernel, args: [{ type: 'pointer', buffer: closed }, args[1] as KernelArg] },
      ]),
    ).toThrow(ClosedError);
    expect(() => prepareLaunches(other, [{ config, kernel, args }])).toThrow(/another device/);
  });
  it.each([
    [device, 5, /as an array, but got 5/],
    [device, [null], /Launch 0 must be \{ config, kernel, args \}, but is null/],
    [5, [], /prepareLaunches needs a device, but got 5.*openDevice/],
  ])('refuses %s and %s with a typed error', (on, launches, message) => {
    const call = () => prepareLaunches(on as Device, launches as never);
    expect(call).toThrow(ArgumentError);
    expect(call).toThrow(message);
  });
});

describe('argSize', () => {
  it.each([
    ['i32', 4],
    ['u32', 4],
    ['f32', 4],
    ['i64', 8],
    ['u64', 8],
    ['f64', 8],
  ] as const)('%s is %i bytes', (type, size) => {
    expect(argSize({ type, value: 0 })).toBe(size);
  });
  it('counts a pointer as 8 bytes, a tensor map as 128', () => {
    expect(argSize({ type: 'pointer', buffer })).toBe(8);
    expect(argSize({ type: 'tensorMap', map: { buffer, bytes: new Uint8Array(128) } })).toBe(128);
  });
});
