# The kernel with a runtime whose ring has no segments, built for size: the small demo, which dumps after
# the stop, the interrupt at every instruction, and what records cost.
kernel_objects(
  kernel_linear_code
  ${few_sources}
  linear/as_after_boot.cpp
  linear/check.cpp
  linear/conductor.cpp
  linear/main.cpp
  linear/paths.cpp
  linear/reference.cpp
  linear/sweep.cpp
  sweep/addresses.cpp
  sweep/steps.cpp
  workload/cost.cpp
  workload/cost_c.c)
# A test looks into the ring, and has it forget its session.
target_include_directories(kernel_linear_code PRIVATE ${PROJECT_SOURCE_DIR}/runtime/src)
runtime_objects(runtime_linear linear OFF)
foreach(objects kernel_linear_code runtime_linear)
  target_compile_options(
    ${objects} PRIVATE -include ${CMAKE_CURRENT_SOURCE_DIR}/linear/configuration.h -ffunction-sections
                       -fdata-sections)
endforeach()
target_compile_options(runtime_linear PRIVATE -Os)
kernel_image(kernel_linear $<TARGET_OBJECTS:kernel_linear_code> $<TARGET_OBJECTS:runtime_linear>)
if(board_roomy_options)
  target_link_options(kernel_linear PRIVATE ${board_roomy_options})
endif()
# The same image, whose strings stay in its file: on a big-endian machine.
if(BAREFXT_TARGET STREQUAL "m68k")
  get_target_property(sources kernel_linear_code SOURCES)
  kernel_objects(kernel_linear_code_strings ${sources})
  target_include_directories(kernel_linear_code_strings PRIVATE ${PROJECT_SOURCE_DIR}/runtime/src)
  runtime_objects(runtime_linear_strings linear OFF)
  foreach(objects kernel_linear_code_strings runtime_linear_strings)
    target_compile_options(
      ${objects} PRIVATE -include ${CMAKE_CURRENT_SOURCE_DIR}/linear/configuration.h -ffunction-sections
                         -fdata-sections)
    target_compile_definitions(${objects} PRIVATE BAREFXT_STRINGS_IN_ELF=1)
  endforeach()
  kernel_image(
    kernel_linear_strings $<TARGET_OBJECTS:kernel_linear_code_strings>
    $<TARGET_OBJECTS:runtime_linear_strings>)
endif()
# Otherwise built by itself.
if(NOT has_linear)
  set_target_properties(kernel_linear_code runtime_linear kernel_linear PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
