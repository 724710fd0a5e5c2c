# Images that measure the hooks of port/rtos. hooks_KERNEL counts instructions, hooks_KERNEL_without those of the
# stand-in for the kernel alone. size_KERNEL_HOW are linked at -Os, with a runtime of each kind, and never run.
set(hooks_dir ${CMAKE_CURRENT_SOURCE_DIR}/hooks)
set(hooks_stand_ins ${PROJECT_SOURCE_DIR}/host-tests/rtos)
set(hooks_port BAREFXT_MAX_CPUS=1)
if(BAREFXT_TARGET STREQUAL "cortex-m3")
  set(hooks_start armv7m)
  # Timer 0 of the machine, which counts down.
  list(APPEND hooks_port BAREFXT_ARMV7M_COUNTER=0x40000004 BAREFXT_ARMV7M_COUNTS_DOWN=1
       BAREFXT_ARMV7M_FREQUENCY=25000000)
elseif(BAREFXT_TARGET STREQUAL "rv32")
  set(hooks_start riscv)
  list(APPEND hooks_port BAREFXT_RISCV_FREQUENCY=10000000)
else()
  set(hooks_start ${BAREFXT_TARGET})
endif()
set(hooks_start ${PROJECT_SOURCE_DIR}/host-tests/project/image/${hooks_start})

# How a stand-in is compiled.
set(hooks_options -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-variable -Wno-empty-body -ffreestanding
                  -ffunction-sections -fdata-sections -fno-tree-loop-distribute-patterns)

# hooks_runtime(NAME LEVEL FILES DEFINITION...): a runtime for one CPU, of the files that images link. A disabled one has
# nothing in it.
function(hooks_runtime name level files)
  set(scope INTERFACE)
  if(files)
    set(scope PUBLIC)
    add_library(${name} STATIC ${files})
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
    target_compile_features(${name} PUBLIC cxx_std_17)
    target_compile_options(${name} PRIVATE $<TARGET_PROPERTY:barefxt_runtime,COMPILE_OPTIONS> -g0 ${level})
  else()
    add_library(${name} INTERFACE)
  endif()
  target_compile_definitions(${name} ${scope} ${hooks_port} ${ARGN})
  target_include_directories(
    ${name} ${scope} $<TARGET_PROPERTY:barefxt_runtime,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${name} ${scope} barefxt_format)
  target_link_options(${name} INTERFACE -L${PROJECT_SOURCE_DIR}/linker)
endfunction()

# All images have these.
foreach(level O2 Os)
  add_library(hooks_common-${level} OBJECT ${hooks_start}/start.S ${hooks_stand_ins}/library.c)
  set_target_properties(hooks_common-${level} PROPERTIES C_STANDARD 11 C_EXTENSIONS ON UNITY_BUILD OFF)
  target_compile_options(hooks_common-${level} PRIVATE ${hooks_options} -${level})
endforeach()

# hooks_image(NAME KERNEL LEVEL RUNTIME FILE... DEFINITIONS DEFINITION...): the stand-in with these files.
function(hooks_image name kernel level runtime)
  cmake_parse_arguments(arg "" "" "FILES;DEFINITIONS" ${ARGN})
  file(GLOB sources ${hooks_stand_ins}/${kernel}/*.c ${PROJECT_SOURCE_DIR}/port/rtos/${kernel}/*.c)
  list(FILTER sources EXCLUDE REGEX "/scenario[.]c$")
  if(name MATCHES "_(without|disabled)$")
    file(GLOB without ${hooks_stand_ins}/${kernel}/without/*.c)
    list(APPEND sources ${without})
  endif()
  add_executable(${name} ${sources} ${arg_FILES})
  set_target_properties(${name} PROPERTIES SUFFIX .elf C_STANDARD 11 C_EXTENSIONS ON UNITY_BUILD OFF)
  target_include_directories(
    ${name} PRIVATE ${hooks_dir} ${hooks_start} ${hooks_stand_ins} ${hooks_stand_ins}/${kernel}
                    ${PROJECT_SOURCE_DIR}/port/rtos/${kernel})
  target_compile_options(${name} PRIVATE ${hooks_options} ${level})
  target_compile_definitions(
    ${name} PRIVATE BAREFXT_LK_TIMER_INTERRUPT=27 BAREFXT_NUTTX_TIMER_INTERRUPT=27 STAND_IN_CALLS=1 IMAGE_RING_BYTES=8192
                    ${arg_DEFINITIONS})
  # Zephyr's file is for CONFIG_BAREFXT_HEAP, which is off unless asked for.
  if(EXISTS ${PROJECT_SOURCE_DIR}/port/rtos/${kernel}/barefxt_${kernel}.wrap AND NOT name MATCHES "_(without|disabled)$"
     AND NOT kernel STREQUAL "zephyr")
    target_link_options(${name} PRIVATE -Wl,@${PROJECT_SOURCE_DIR}/port/rtos/${kernel}/barefxt_${kernel}.wrap)
  endif()
  target_link_libraries(${name} PRIVATE ${runtime} hooks_common${level})
  target_link_options(${name} PRIVATE -nostdlib -static -Wl,--build-id=none -Wl,--gc-sections
                      -T ${hooks_start}/image.ld)
endfunction()

set(with_segments
    argument|clock|clock_change|descriptor|dump|error_name|event_c|former_entries|heap|interrupts|koid|ring|scheduling|session|snapshot|switch_halves|text|thread_table|thread_wakeup|trace_frames|write_back)
set(linear
    argument|clock|event_c|heap|interrupts|koid|linear_dump|linear_names|linear_ring|linear_session|linear_threads|switch_halves|text|thread_wakeup)
foreach(files with_segments linear)
  set(names ${${files}})
  set(${files} ${runtime_sources})
  list(FILTER ${files} INCLUDE REGEX "/(${names})[.]cpp$")
endforeach()
hooks_runtime(hooks_runtime_default -O2 "${with_segments}")
hooks_runtime(hooks_runtime_without -O2 "" BAREFXT_DISABLED=1 WITHOUT=1)

# The others count Zephyr's switch alone.
set(hooks_kernels zephyr)
if(BAREFXT_TARGET STREQUAL "cortex-m3")
  set(hooks_kernels freertos threadx lk nuttx zephyr)
endif()
foreach(kernel ${hooks_kernels})
  foreach(how default without)
    set(name hooks_${kernel})
    if(how STREQUAL "without")
      set(name hooks_${kernel}_without)
    endif()
    hooks_image(${name} ${kernel} -O2 hooks_runtime_${how} FILES ${hooks_dir}/costs.c ${hooks_dir}/${kernel}.c)
  endforeach()
endforeach()
if(NOT BAREFXT_TARGET STREQUAL "cortex-m3")
  return()
endif()

hooks_runtime(size_runtime_default -Os "${with_segments}")
hooks_runtime(size_runtime_small -Os "${with_segments}" BAREFXT_SMALL=1)
hooks_runtime(size_runtime_smallest -Os "${linear}" BAREFXT_SMALL=2)
hooks_runtime(size_runtime_disabled -Os "" BAREFXT_DISABLED=1)
hooks_runtime(size_runtime_without -Os "" BAREFXT_DISABLED=1 WITHOUT=1)
foreach(kernel ${hooks_kernels})
  foreach(how default small smallest disabled without)
    hooks_image(size_${kernel}_${how} ${kernel} -Os size_runtime_${how} FILES ${hooks_stand_ins}/image.c
                ${hooks_stand_ins}/${kernel}/scenario.c)
  endforeach()
endforeach()
# FreeRTOS has levels.
foreach(level switches waits)
  hooks_image(hooks_freertos_${level} freertos -O2 hooks_runtime_default FILES ${hooks_dir}/costs.c
              ${hooks_dir}/freertos.c DEFINITIONS BAREFXT_FREERTOS_LEVEL=${level})
  foreach(how default small smallest)
    hooks_image(size_freertos_${level}_${how} freertos -Os size_runtime_${how} FILES ${hooks_stand_ins}/image.c
                ${hooks_stand_ins}/freertos/scenario.c DEFINITIONS BAREFXT_FREERTOS_LEVEL=${level})
  endforeach()
endforeach()
