# What hcbr is linked with, by the names of pkg-config. This is the one place that names them:
# hcbr.pc, the CMake package and the Debian packages follow. Link hcbr_needs (library) or
# hcbr_program_needs (program, beside the library); --as-needed drops what is not used.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

set(HCBR_MODULES libxxhash zlib libzstd libutf8proc)
set(HCBR_PROGRAM_MODULES sqlite3)
if(HCBR_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
pkg_check_modules(HCBR_MODULES REQUIRED IMPORTED_TARGET ${HCBR_MODULES})
if(NOT SKBUILD)
  pkg_check_modules(HCBR_PROGRAM_MODULES REQUIRED IMPORTED_TARGET ${HCBR_PROGRAM_MODULES})
endif()

add_library(hcbr_needs INTERFACE)
target_link_libraries(hcbr_needs INTERFACE PkgConfig::HCBR_MODULES Threads::Threads m)
if(NOT SKBUILD)
  add_library(hcbr_program_needs INTERFACE)
  target_link_libraries(hcbr_program_needs INTERFACE PkgConfig::HCBR_PROGRAM_MODULES
    Threads::Threads m)
endif()
