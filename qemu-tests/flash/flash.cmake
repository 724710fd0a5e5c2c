# Images without anything but tracing, at the level for size: with none of it, with recording, and with the dump as
# well, of each runtime that is small. Their difference is the flash that the tracer takes.
#
# The level for size has another name with Clang, where -Os is between that and -O2.
set(flash_level -Os)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(flash_level -Oz)
endif()

# flash_objects(NAME RING DEFINITION...): a runtime of its own, for one CPU, without the files whose functions are never
# called.
function(flash_objects name ring)
  runtime_files(sources ${ring} OFF)
  list(FILTER sources EXCLUDE REGEX
       "/src/(blob|drain|dump_fxt|interrupts|koid|linear_left_out|linear_names|lock|log|object|profiler|recover|scheduling_arguments|sent_segments|switch_halves|thread_wakeup|way_back)[.]cpp$")
  add_library(${name} STATIC ${sources})
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_precompile_headers(${name} PRIVATE <barefxt/barefxt.h> <barefxt/ring.h> <barefxt/clock.h> <barefxt/stream.h> <barefxt/wire/frame.h>)
  target_compile_options(${name} PRIVATE $<TARGET_PROPERTY:barefxt_runtime,COMPILE_OPTIONS> ${flash_level})
  target_compile_definitions(${name} PUBLIC BAREFXT_MAX_CPUS=1 BAREFXT_MAX_THREADS=16 ${ARGN})
  target_include_directories(
    ${name} PUBLIC $<TARGET_PROPERTY:barefxt_runtime,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${name} PUBLIC barefxt_format)
  target_link_options(${name} INTERFACE -L${PROJECT_SOURCE_DIR}/linker)
endfunction()

function(flash_image name runtime)
  add_executable(${name} ${CMAKE_CURRENT_SOURCE_DIR}/flash/image.cpp)
  set_target_properties(${name} PROPERTIES SUFFIX .elf)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror -ffunction-sections -fdata-sections
                         ${flash_level})
  target_compile_definitions(${name} PRIVATE ${ARGN})
  target_link_options(${name} PRIVATE -nostdlib -static -Wl,--build-id=none -Wl,--gc-sections
                      -T ${CMAKE_CURRENT_SOURCE_DIR}/flash/image.ld)
  target_link_libraries(${name} PRIVATE ${runtime})
  # Around an erratum of Cortex-A53 the linker may leave a page empty, if an instruction happens to lie at
  # the end of one. That is no cost of the tracer.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES aarch64 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_link_options(${name} PRIVATE -mno-fix-cortex-a53-843419)
  endif()
endfunction()

flash_objects(flash_runtime_smallest linear BAREFXT_SMALL=2)
flash_image(flash_empty flash_runtime_smallest)
flash_image(flash_recording flash_runtime_smallest WITH_RECORDING=1)
flash_image(flash_dump flash_runtime_smallest WITH_RECORDING=1 WITH_DUMP=1)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  return()
endif()
flash_objects(flash_runtime_segments segments BAREFXT_SMALL=1)
flash_objects(flash_runtime_coded segments BAREFXT_SMALL=1 BAREFXT_DUMP_FORMS=5)
flash_image(flash_recording_segments flash_runtime_segments WITH_RECORDING=1)
flash_image(flash_dump_segments flash_runtime_segments WITH_RECORDING=1 WITH_DUMP=1)
flash_image(flash_dump_coded flash_runtime_coded WITH_RECORDING=1 WITH_DUMP=1)
