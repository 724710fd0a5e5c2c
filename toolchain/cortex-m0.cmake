# Cortex-M0, as on the BBC micro:bit (nRF51), whose counter is SysTick, see port/arch/armv6m.
set(BAREFXT_TARGET cortex-m0 CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_PORT armv6m CACHE STRING "Folder under port/arch")
set(BAREFXT_BOARD microbit CACHE STRING "Folder under qemu-tests/board")
set(barefxt_core cortex-m0)
set(barefxt_counter_flags "-DBAREFXT_ARMV6M_FREQUENCY=16000000")

# Both compilers call libgcc for operations that the CPU has no instruction for.
execute_process(
  COMMAND arm-none-eabi-gcc -mthumb -mcpu=cortex-m0 -print-libgcc-file-name
  OUTPUT_VARIABLE barefxt_libgcc OUTPUT_STRIP_TRAILING_WHITESPACE)
set(CMAKE_C_STANDARD_LIBRARIES "${barefxt_libgcc}" CACHE STRING "")
set(CMAKE_CXX_STANDARD_LIBRARIES "${barefxt_libgcc}" CACHE STRING "")
