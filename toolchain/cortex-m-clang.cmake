# Cortex-M bare metal with clang 19 and lld.
#
# -fno-unroll-loops: of its own accord clang unrolls every loop over bytes for these cores, even at -O2,
# which takes more flash than most of them have to give. -mno-movt: addresses are literals, as with GCC,
# an instruction less for a category that is off.
set(CMAKE_SYSTEM_PROCESSOR arm)
set(barefxt_triple arm-none-eabi)
include(${CMAKE_CURRENT_LIST_DIR}/clang.cmake)

set(barefxt_compiler_flags "-fno-unroll-loops -mno-movt")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
