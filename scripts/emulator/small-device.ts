import { type Device, type DeviceLimits, type DeviceOptions, openDevice } from '@ffma/core';

/**
 * An emulated device that says it has so few multiprocessors: a small problem then has whole tiles for every block, and
 * a rest to share. `limits`: what else it says of itself.
 */
export async function smallDevice(
  smCount: number,
  options: DeviceOptions = {},
  limits: Partial<DeviceLimits> = {},
): Promise<Device> {
  const device = await openDevice('emulator', options);
  return Object.defineProperty(device, 'limits', { value: { ...device.limits, ...limits, smCount } });
}
