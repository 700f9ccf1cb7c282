# Links a target with the C++ library inside it, so that of the host's libraries only glibc counts: which libstdc++ a
# system has depends on its compiler, and Node.js does with an old one. Nothing of it is exported, since Node.js has its
# own; and what is not used is dropped, since some of that asks for a newer glibc than all the rest. libgcc stays the
# host's, which Node.js needs too: the static one asks for glibc 2.35. Where the compiler comes without the static
# library, the target takes the host's.
include(CheckCXXSourceCompiles)

set(CMAKE_REQUIRED_LINK_OPTIONS -static-libstdc++)
check_cxx_source_compiles("#include <string>\nint main() { return std::string(\"x\").size() != 1; }" STATIC_RUNTIME)
unset(CMAKE_REQUIRED_LINK_OPTIONS)

function(link_static_runtime target)
  if(STATIC_RUNTIME)
    target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--exclude-libs,ALL,--gc-sections)
  endif()
endfunction()
