# Compiler and linker flags, in one place: every target links hcbr_flags.
include(CheckCCompilerFlag)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()
set(HCBR_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined")

add_library(hcbr_flags INTERFACE)
target_compile_definitions(hcbr_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)

# Same bytes of model from every compiler and optimisation: no fused or reordered arithmetic.
target_compile_options(hcbr_flags INTERFACE -ffp-contract=off -fno-fast-math)

target_compile_options(hcbr_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wstrict-prototypes -Wmissing-prototypes -Wvla)

# Hardening.
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "HCBR_HAS${flag}" has)
  check_c_compiler_flag(${flag} ${has})
  if(${has})
    target_compile_options(hcbr_flags INTERFACE ${flag})
  endif()
endforeach()
target_link_options(hcbr_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack,--as-needed)
if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$" AND NOT HCBR_SANITIZE)
  target_compile_options(hcbr_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

if(HCBR_SANITIZE)
  target_compile_options(hcbr_flags INTERFACE -fsanitize=${HCBR_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  string(REPLACE "fuzzer-no-link," "" sanitize_link "${HCBR_SANITIZE}")
  target_link_options(hcbr_flags INTERFACE -fsanitize=${sanitize_link})
endif()

# Programs are position independent where the linker can do it.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
