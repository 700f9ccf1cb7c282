import type { DoctorSection, KernelPackage } from '../discover/kernel-package.js';
import { sentenceOf } from '../error-sentence.js';

/** What kernel packages have to say of this machine, each by its own `doctor`; one that throws is a line, too. */
export async function sectionsOf(packages: readonly KernelPackage[]): Promise<DoctorSection[]> {
  const sections: DoctorSection[] = [];
  for (const { name, doctor } of packages) {
    if (doctor === undefined) continue;
    try {
      sections.push(...(await doctor()));
    } catch (error) {
      sections.push({ title: name, lines: [`Its doctor failed: ${sentenceOf(error)}`] });
    }
  }
  return sections;
}
