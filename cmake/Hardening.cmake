# What every binary has that is built here, installed or not; tests/hardening/check reads it back.
include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported()

add_library(lossleak_hardening INTERFACE)
target_compile_options(lossleak_hardening INTERFACE -fstack-protector-strong)
check_c_compiler_flag(-fcf-protection=full LL_HAVE_CF_PROTECTION)
if(LL_HAVE_CF_PROTECTION)
  target_compile_options(lossleak_hardening INTERFACE -fcf-protection=full)
endif()
target_link_options(lossleak_hardening INTERFACE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)

# glibc's checks of sizes need an optimiser; sanitizers have their own.
string(TOUPPER "CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}" flags)
set(flags "${CMAKE_C_FLAGS} ${${flags}}")
if(flags MATCHES "-O[1-9s]" AND NOT flags MATCHES "-fsanitize")
  target_compile_options(lossleak_hardening INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
