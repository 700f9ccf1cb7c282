/** A section of an ELF file. */
export interface ElfSection {
  readonly name: string;
  readonly offset: number;
  /** 0 where it takes no room in the file. */
  readonly byteLength: number;
}

const header = 64;
const sectionHeader = 64;
const noBits = 8;

/** The part of an ELF file's header that says where things are. */
export interface ElfHeader {
  /** e_machine. */
  readonly machine: number;
  readonly sections: number;
  readonly sectionCount: number;
  readonly nameSection: number;
  /** Where its tables end. */
  readonly tableEnd: number;
}

const offset = (bytes: DataView, at: number) => Number(bytes.getBigUint64(at, true));

export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Undefined where the bytes are no 64-bit ELF file. */
export function readElfHeader(bytes: DataView): ElfHeader | undefined {
  if (bytes.byteLength < header || bytes.getUint32(0) !== 0x7f454c46 || bytes.getUint8(4) !== 2)
    return undefined;
  const sections = offset(bytes, 40);
  const sectionCount = bytes.getUint16(60, true);
  const programEnd = offset(bytes, 32) + bytes.getUint16(54, true) * bytes.getUint16(56, true);
  return {
    machine: bytes.getUint16(18, true),
    sections,
    sectionCount,
    nameSection: bytes.getUint16(62, true),
    tableEnd: Math.max(programEnd, sections + sectionCount * sectionHeader),
  };
}

/** Sections of a file whose tables are there. Names are empty where they are not. */
export function readSections(bytes: DataView, elf: ElfHeader): ElfSection[] {
  const at = (i: number) => elf.sections + i * sectionHeader;
  const names =
    elf.nameSection < elf.sectionCount ? offset(bytes, at(elf.nameSection) + 24) : bytes.byteLength;
  const text = (start: number) => {
    let end = start;
    while (end < bytes.byteLength && bytes.getUint8(end) !== 0) end++;
    return new TextDecoder().decode(new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start));
  };
  return Array.from({ length: elf.sectionCount }, (_, i) => {
    const name = names + bytes.getUint32(at(i), true);
    return {
      name: name < bytes.byteLength ? text(name) : '',
      offset: offset(bytes, at(i) + 24),
      byteLength: bytes.getUint32(at(i) + 4, true) === noBits ? 0 : offset(bytes, at(i) + 32),
    };
  });
}
