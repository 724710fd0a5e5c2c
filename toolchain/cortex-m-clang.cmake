# Cortex-M bare metal with clang 19 and lld.
#
# -fno-unroll-loops: of its own accord clang unrolls every loop over bytes for these cores, even at -O2,
# which takes more flash than most of them have to give. -mno-movt: addresses are literals, as with GCC,
# an instruction less for a category that is off.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_ASM_COMPILER clang-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_C_COMPILER_TARGET arm-none-eabi)
set(CMAKE_CXX_COMPILER_TARGET arm-none-eabi)
set(CMAKE_ASM_COMPILER_TARGET arm-none-eabi)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld-19")

set(barefxt_compiler_flags "-fno-unroll-loops -mno-movt")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
