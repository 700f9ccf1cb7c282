export * from './counters/counter-facts.js';
export * from './counters/launch-profile.js';
export { deviceProvider, EmulatorDevice } from './device/emulator-device.js';
export { relaxedFuses } from './device/fma-path.js';
export type { EmulatorOptions } from './device/options.js';
export { type DeviceProfile, type ProfileName, profiles } from './device/profiles.js';
export { knownInstructions } from './translate/lower/index.js';
