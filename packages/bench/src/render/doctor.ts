import type { CudaReport } from '@ffma/core/cuda';
import type { DeviceReport } from '../doctor/device-report.js';
import type { DoctorPackage, DoctorReport } from '../doctor/doctor.js';
import { bytes, count } from './numbers.js';
import type { Style } from './style.js';
import { hang } from './text.js';

function deviceLines(device: DeviceReport, line: (name: string, text: string) => void): void {
  if (!device.available) {
    line(device.kind, `not available. ${device.reason}`);
    return;
  }
  const { name, arch, limits, details } = device.facts;
  const more = Object.entries(details)
    .filter(([, value]) => typeof value !== 'boolean')
    .map(([key, value]) => `${key} ${value}`);
  line(device.kind, [`${name} (${arch})`, `${limits.smCount} SMs`, ...more].join(', '));
  for (const { sentence } of [device.canary, ...device.references]) line('', `TF32 canary ${sentence}`);
}

/** Libraries and GPUs; what is missing without a driver is said once, by the device. */
function cudaLines(
  { addon, driver, nvml, devices }: CudaReport,
  line: (name: string, text: string) => void,
): void {
  const parts = { addon, libcuda: driver, NVML: nvml };
  for (const [name, part] of Object.entries(parts)) {
    if (part.available) line('', `${name} ${part.version}, ${part.path}`);
    else if (driver.available) line('', `${name} not available. ${part.reason}`);
  }
  for (const { index, name, uuid, computeCapability, totalBytes } of devices)
    line('', `GPU ${index}: ${name}, sm_${computeCapability.join('')}, ${bytes(totalBytes)}, ${uuid}`);
}

function packageText({ name, version, kernels }: DoctorPackage): string {
  const arches = (format: 'ptx' | 'cubin') => [...new Set(kernels.flatMap((kernel) => kernel[format]))];
  const built = (['ptx', 'cubin'] as const)
    .filter((format) => arches(format).length > 0)
    .map((format) => `${format} ${arches(format).join(' ')}`);
  const of = kernels.every(({ library }) => library)
    ? 'of a library'
    : `built ${built.join(', ') || 'nothing'}`;
  return `${name} ${version}: ${count(kernels.length, 'kernel')}, ${of}`;
}

/** A block to paste into an issue. */
export function renderDoctor(report: DoctorReport, style: Style, width: number): string[] {
  const lines: string[] = [];
  const line = (name: string, text: string) => {
    lines.push(...hang(style.dim(name.padEnd(10)), text, width));
  };
  line(
    'ffma',
    Object.entries(report.tool)
      .map(([name, version]) => `${name.replace('@ffma/', '')} ${version}`)
      .join(', '),
  );
  const { host } = report;
  line('host', `${host.platform} ${host.release}, Node ${host.node}`);
  line('', `${host.cpu}, ${count(host.cores, 'core')}, ${bytes(host.memoryBytes)}`);
  for (const device of report.devices) {
    deviceLines(device, line);
    if (device.kind === 'cuda') cudaLines(report.cuda, line);
  }
  line(
    '',
    `relaxed SIMD ${report.relaxedSimd ? 'available, and it fuses' : 'not available: exact FMAs take f64 arithmetic'}`,
  );
  for (const compiler of report.compilers) {
    const { name } = compiler;
    if (compiler.available)
      line(name, `${compiler.version}, ${compiler.path} (${compiler.formats.join(', ')})`);
    else
      line(
        name,
        `not available. ${compiler.reason}${compiler.remedy === undefined ? '' : ` ${compiler.remedy}`}`,
      );
  }
  for (const { title, lines: texts } of report.sections)
    for (const [i, text] of texts.entries()) line(i === 0 ? title : '', text);
  for (const [i, [name, value]] of Object.entries(report.environment).entries())
    line(i === 0 ? 'variables' : '', value === null ? `${name} is not set` : `${name}=${value}`);
  line('cache', report.cacheFolder);
  for (const [i, owner] of report.packages.entries()) line(i === 0 ? 'kernels' : '', packageText(owner));
  if (report.packages.length === 0) line('kernels', 'no kernel package among the dependencies here');
  for (const { name, reason } of report.broken) line('', `${style.red('not usable')}: ${name}: ${reason}`);
  if (report.missing.length > 0) line('', `not installed: ${report.missing.join(', ')}`);
  return lines;
}
