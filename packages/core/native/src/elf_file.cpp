#include "elf_file.h"

#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

namespace ffma {
namespace {

std::optional<uint64_t> size_of(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return std::nullopt;
  return static_cast<uint64_t>(file.st_size);
}

/// The loader's folders: those of LD_LIBRARY_PATH, then the system's.
std::string file_for(const std::string& library) {
  if (library.find('/') != std::string::npos) return library;
  const char* named = std::getenv("LD_LIBRARY_PATH");
  std::istringstream folders(std::string(named != nullptr ? named : "") +
                             ":/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = folder + "/" + library;
    if (!folder.empty() && size_of(path)) return path;
  }
  return library;
}

/// Where the file must not end before; 0 for what is no 64-bit ELF file.
uint64_t end_of_parts(std::ifstream& file, uint64_t size) {
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return 0;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return 0;
  uint64_t end = header.e_phoff + uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phentsize != sizeof(Elf64_Phdr) || end > size) return end;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) break;
    if (part.p_type == PT_LOAD) end = std::max(end, part.p_offset + part.p_filesz);
  }
  return end;
}

}  // namespace

std::string cut_short(const std::string& library) {
  const std::string path = file_for(library);
  const auto size = size_of(path);
  if (!size) return "";
  std::ifstream file(path, std::ios::binary);
  const uint64_t end = end_of_parts(file, *size);
  if (end <= *size) return "";
  return path + ": file is cut short: it has " + std::to_string(*size) + " bytes of at least " + std::to_string(end);
}

}  // namespace ffma
