import type { DeviceOptions } from '../device/open-device.js';
import { shown } from '../device/shown.js';
import { ArgumentError } from '../errors.js';
import { CudaDevice } from './cuda-device.js';
import { readProperties } from './device-properties.js';
import { countDevices, openDriver, whileOpening } from './driver.js';
import { addon } from './loader.js';

export interface CudaOptions extends DeviceOptions {
  /** Which of the visible GPUs. Default 0. */
  readonly index?: number;
}

function checkedIndex({ index = 0, ...unknown }: CudaOptions): number {
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new ArgumentError(`A CUDA device has no option '${name}'; it has index.`);
  if (!Number.isInteger(index) || index < 0) {
    throw new ArgumentError(`The option index must be a whole number, but is ${shown(index)}.`);
  }
  return index;
}

/** Opens a GPU. @throws UnavailableError with the reason where there is none; ArgumentError */
export async function openCuda(options: CudaOptions = {}): Promise<CudaDevice> {
  const index = checkedIndex(options);
  const { binding } = addon();
  const { version } = openDriver(binding);
  const count = countDevices(binding);
  if (index >= count) {
    throw new ArgumentError(`The option index is ${index}, but there are ${count} GPUs, numbered from 0.`);
  }
  return whileOpening(`open GPU ${index}`, () => {
    const properties = readProperties(binding, index, version);
    return new CudaDevice(binding, binding.openContext(index), properties);
  });
}
