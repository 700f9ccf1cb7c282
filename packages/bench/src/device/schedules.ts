import type { Schedule } from '@ffma/emulator';
import { UsageError } from '../usage-error.js';
import type { DeviceKind } from './open-bench-device.js';

/** How many schedules, or which one. */
export interface ScheduleWish {
  readonly device: DeviceKind;
  readonly schedules?: number;
  readonly schedule?: string;
}

/** Schedules that were asked for, and how each is written; undefined where none was. */
export interface ChosenSchedules {
  readonly list: readonly Schedule[];
  readonly nameOf: (schedule: Schedule) => string;
}

/** @throws UsageError for what is no schedule, and on a GPU, where nobody chooses one */
export async function chooseSchedules(wish: ScheduleWish): Promise<ChosenSchedules | undefined> {
  const { device, schedules, schedule } = wish;
  if (schedules === undefined && schedule === undefined) return undefined;
  if (device === 'cuda') {
    throw new UsageError('A GPU chooses its own schedule.', { remedy: 'Use --device emulator.' });
  }
  if (schedules !== undefined && schedule !== undefined) {
    throw new UsageError('--schedules takes several, and --schedule one.', { remedy: 'Use one of them.' });
  }
  const { parseSchedule, scheduleText, someSchedules } = await import('@ffma/emulator');
  if (schedules !== undefined) return { list: someSchedules(schedules), nameOf: scheduleText };
  const one = parseSchedule(schedule ?? '');
  if (one === undefined) {
    throw new UsageError(`'${schedule}' is no schedule.`, {
      remedy: 'Schedules are forward, reverse, random:<seed> and adversarial:<seed>, each also with +early.',
    });
  }
  return { list: [one], nameOf: scheduleText };
}
