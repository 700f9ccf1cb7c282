import type { Device, DeviceOptions } from '@ffma/core';
import type { LaunchProfile } from './counters/launch-profile.js';

export interface EmulatorOptions extends DeviceOptions {
  /** GPU whose limits and architecture are emulated. Default `h200`. */
  readonly profile?: 'h200';
  /** Worker threads. Default: one a core. */
  readonly workers?: number;
  /** Memory checks: out of bounds, misaligned, uninitialised reads. Default true. */
  readonly checks?: boolean;
  /** Counts instructions and sectors; see `takeProfiles`. Default false. */
  readonly counters?: boolean;
  /**
   * How exact FMAs are computed; the bits are the same. `relaxed` needs relaxed SIMD in the engine and a
   * processor that fuses (in Node 20 it sets a process-wide V8 flag); `f64` works everywhere. Default `auto`:
   * relaxed where it is already enabled and fuses.
   */
  readonly fma?: 'auto' | 'relaxed' | 'f64';
}

/** A device on the CPU. */
export interface EmulatorDevice extends Device {
  readonly kind: 'emulator';
  /** Which FMA path is in use. */
  readonly fma: 'relaxed' | 'f64';
  readonly checks: boolean;
  readonly counters: boolean;
  readonly workers: number;
  /** Profiles of the launches that finished since the last call, in order. Empty unless `counters` is on. */
  takeProfiles(): LaunchProfile[];
}
