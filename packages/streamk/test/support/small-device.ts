import { type Device, type DeviceOptions, openDevice } from '@ffma/core';

/**
 * An emulated device that says it has so few multiprocessors: a small problem then has whole tiles for every block, and
 * a rest to share.
 */
export async function smallDevice(smCount: number, options: DeviceOptions = {}): Promise<Device> {
  const device = await openDevice('emulator', options);
  return Object.defineProperty(device, 'limits', { value: { ...device.limits, smCount } });
}
