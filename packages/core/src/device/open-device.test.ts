import { describe, expect, it } from 'vitest';
import { ArgumentError, UnavailableError } from '../errors.js';
import type { Device } from './device.js';
import { ObjectCode } from './object-code.js';
import { openDevice, registerProvider } from './open-device.js';

const device = { kind: 'fake' } as Device;

describe('openDevice', () => {
  it('asks a registered provider, with the options', async () => {
    const seen: unknown[] = [];
    registerProvider({
      kind: 'fake',
      open: async (options) => {
        seen.push(options);
        return device;
      },
    });
    expect(await openDevice('fake', { x: 1 })).toBe(device);
    expect(seen).toEqual([{ x: 1 }]);
  });

  it('names the package that would bring an unknown device', async () => {
    const error = await openDevice('nonesuch').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(String(error)).toMatch(/@ffma\/nonesuch is not installed.*npm install @ffma\/nonesuch/);
  });

  it('names a package that brings no device', async () => {
    await expect(openDevice('core')).rejects.toThrow(/brings no device/);
  });

  it.each(['', '../x', 'CUDA', 'a b', null, undefined, true, Symbol('x')])(
    'refuses %o as a kind',
    async (kind) => {
      const opened = openDevice(kind as string);
      await expect(opened).rejects.toThrow(ArgumentError);
      await expect(opened).rejects.toThrow(/lower-case word/);
    },
  );
  it.each([null, 5, 'fast', ['x']])('refuses %o as options', async (options) => {
    const opened = openDevice('fake', options as never);
    await expect(opened).rejects.toThrow(ArgumentError);
    await expect(opened).rejects.toThrow(/options of openDevice must be an object/);
  });
});

describe('ObjectCode', () => {
  it('keeps text and digest', () => {
    const code = ObjectCode.fromPtx('.version 8.0', { name: 'x', arch: 'compute_80' });
    expect(code.text).toBe('.version 8.0');
    expect(code.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(code.sha256).toBe(ObjectCode.fromPtx(new TextEncoder().encode('.version 8.0')).sha256);
  });
  it.each([5, null, undefined, {}])('refuses %o as code', (code) => {
    expect(() => ObjectCode.fromPtx(code as never)).toThrow(
      /\(ptx\) must be a string or a Uint8Array, but is/,
    );
    expect(() => ObjectCode.fromCubin(code as never)).toThrow(ArgumentError);
    expect(() => ObjectCode.fromCubin('text' as never)).toThrow(
      /\(cubin\) must be a Uint8Array, but is 'text'/,
    );
  });
  it('refuses empty code, and text of a cubin', () => {
    expect(() => ObjectCode.fromPtx('')).toThrow(ArgumentError);
    expect(() => ObjectCode.fromCubin(new Uint8Array([1])).text).toThrow(/cubin/);
  });
});
