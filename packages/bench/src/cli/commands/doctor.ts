import { Command } from 'commander';
import { lostBits } from '../../doctor/device-report.js';
import { doctor } from '../../doctor/doctor.js';
import { renderDoctor } from '../../render/doctor.js';
import { type Io, look, print, printJson } from '../io.js';
import { jsonOption } from '../options.js';

export function doctorCommand(io: Io): Command {
  return new Command('doctor').addOption(jsonOption()).action(async (options: { json?: true }) => {
    const report = await doctor(io.cwd);
    if (options.json) printJson(io, report);
    else {
      const { style, width } = look(io);
      print(io, renderDoctor(report, style, width));
    }
    if (report.devices.some(lostBits)) io.exitCode = 1;
  });
}
