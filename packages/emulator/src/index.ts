export * from './counters/counter-facts.js';
export * from './counters/launch-profile.js';
export * from './emulator-device.js';
