# Images without anything but tracing, at the level for size: with none of it, with recording, and with the dump as
# well, of each runtime that is small. Their difference is the flash that the tracer takes.
#
# The level for size has another name with Clang, where -Os is between that and -O2.
set(flash_level -Os)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(flash_level -Oz)
endif()

# flash_objects(NAME RING FILES DEFINITION...): these files of a runtime for one CPU, which its images link. What they call
# elsewhere fails to link. Not precompiled headers: GCC takes as long to load them as to read the few that there are.
function(flash_objects name ring names)
  runtime_files(sources ${ring} OFF)
  string(REPLACE " " "|" names ${names})
  list(FILTER sources INCLUDE REGEX "/(${names})[.]cpp$")
  add_library(${name} OBJECT ${sources})
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_compile_options(${name} PRIVATE $<TARGET_PROPERTY:barefxt_runtime,COMPILE_OPTIONS> -g0 ${flash_level})
  target_compile_definitions(${name} PUBLIC BAREFXT_MAX_CPUS=1 BAREFXT_MAX_THREADS=16 ${ARGN})
  target_include_directories(
    ${name} PUBLIC $<TARGET_PROPERTY:barefxt_runtime,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${name} PUBLIC barefxt_format)
  target_link_options(${name} INTERFACE -L${PROJECT_SOURCE_DIR}/linker)
endfunction()

# flash_image(NAME RUNTIMES DEFINITION...)
function(flash_image name runtimes)
  add_executable(${name} ${CMAKE_CURRENT_SOURCE_DIR}/flash/image.cpp)
  set_target_properties(${name} PROPERTIES SUFFIX .elf)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror -ffunction-sections -fdata-sections
                         ${flash_level})
  target_compile_definitions(${name} PRIVATE ${ARGN})
  target_link_options(${name} PRIVATE -nostdlib -static -Wl,--build-id=none -Wl,--gc-sections
                      -T ${CMAKE_CURRENT_SOURCE_DIR}/flash/image.ld)
  target_link_libraries(${name} PRIVATE ${runtimes})
  # Around an erratum of Cortex-A53 the linker may leave a page empty, if an instruction happens to lie at
  # the end of one. That is no cost of the tracer.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES aarch64 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_link_options(${name} PRIVATE -mno-fix-cortex-a53-843419)
  endif()
endfunction()

flash_objects(flash_runtime_smallest linear "barefxt_port clock linear_dump linear_ring linear_session linear_threads text"
              BAREFXT_SMALL=2)
flash_image(flash_empty flash_runtime_smallest)
flash_image(flash_recording flash_runtime_smallest WITH_RECORDING=1)
flash_image(flash_dump flash_runtime_smallest WITH_RECORDING=1 WITH_DUMP=1)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  return()
endif()
flash_objects(flash_runtime_strings linear "barefxt_port clock linear_dump linear_ring linear_session linear_threads text"
              BAREFXT_SMALL=2 BAREFXT_STRINGS_IN_ELF=1)
flash_image(flash_dump_strings flash_runtime_strings WITH_RECORDING=1 WITH_DUMP=1)
flash_objects(
  flash_runtime_segments segments
  "argument barefxt_port clock clock_change descriptor event_c ring scheduling session snapshot text thread_table write_back"
  BAREFXT_SMALL=1)
# Only these differ by the dump's forms.
flash_objects(flash_runtime_frames segments "dump trace_frames" BAREFXT_SMALL=1)
flash_objects(flash_runtime_coded segments "dump trace_frames" BAREFXT_SMALL=1 BAREFXT_DUMP_FORMS=5)
set(flash_segments flash_runtime_frames flash_runtime_segments)
flash_image(flash_recording_segments "${flash_segments}" WITH_RECORDING=1)
flash_image(flash_dump_segments "${flash_segments}" WITH_RECORDING=1 WITH_DUMP=1)
flash_image(flash_dump_coded "flash_runtime_coded;flash_runtime_segments" WITH_RECORDING=1 WITH_DUMP=1)
