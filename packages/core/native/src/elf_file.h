// Whether a library is all there, told before the loader maps it.
#pragma once

#include <string>

namespace ffma {

/// Why an ELF file is cut short, as the end of a sentence; empty where it is whole, no ELF file, or not there. The loader
/// maps what the headers promise without a look at the file's end, and the process dies when it touches what is missing.
/// A name without a folder is looked for where the loader looks first.
std::string cut_short(const std::string& library);

}  // namespace ffma
